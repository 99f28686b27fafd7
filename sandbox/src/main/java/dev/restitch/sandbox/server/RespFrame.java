package dev.restitch.sandbox.server;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** One whole message of a Redis server, of either version of the protocol, as its bytes. */
final class RespFrame {

  private static final byte[] NOTIFICATION =
      "$8\r\npmessage\r\n".getBytes(StandardCharsets.US_ASCII);

  private final byte[] bytes;

  private RespFrame(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Reads one message.
   *
   * @param first its first byte, already taken
   * @throws EOFException if the stream ends within it
   */
  static RespFrame read(int first, InputStream in) throws IOException {
    ByteArrayOutputStream taken = new ByteArrayOutputStream();
    take(first, in, taken);
    return new RespFrame(taken.toByteArray());
  }

  private static void take(int type, InputStream in, ByteArrayOutputStream taken)
      throws IOException {
    taken.write(type);
    String head = line(in, taken);
    switch (type) {
      case '*', '>', '~' -> elements(Integer.parseInt(head), in, taken);
      case '%' -> elements(2 * Integer.parseInt(head), in, taken);
      case '$', '=', '!' -> {
        int length = Integer.parseInt(head);
        if (length >= 0) {
          byte[] body = in.readNBytes(length + 2);
          if (body.length < length + 2) {
            throw new EOFException("closed within a message");
          }
          taken.write(body);
        }
      }
      default -> {
        // its line is all there is
      }
    }
  }

  private static void elements(int count, InputStream in, ByteArrayOutputStream taken)
      throws IOException {
    for (int i = 0; i < count; i++) {
      take(in.read(), in, taken);
    }
  }

  private static String line(InputStream in, ByteArrayOutputStream taken) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("closed within a message");
      }
      taken.write(b);
      line.append((char) b);
    }
    taken.write('\n');
    return line.toString().strip();
  }

  /** True of what a subscriber by pattern is told of one event. */
  boolean isNotification() {
    int body = 0;
    while (bytes[body] != '\n') {
      body++;
    }
    body++;
    return (bytes[0] == '>' || bytes[0] == '*')
        && Arrays.equals(
            bytes,
            body,
            Math.min(bytes.length, body + NOTIFICATION.length),
            NOTIFICATION,
            0,
            NOTIFICATION.length);
  }

  void writeTo(OutputStream out) throws IOException {
    out.write(bytes);
  }
}
