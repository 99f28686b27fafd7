package dev.restitch.sandbox.bench;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Writes stamped strings over a bare socket, many a packet, so that it costs little itself. */
final class SetFlood implements AutoCloseable {

  /** Writes that go out together. */
  static final int CHUNK = 250;

  private static final int REPLY = "+OK\r\n".length();

  private final Socket socket;
  private final byte[][] chunks;
  private final byte[] replies = new byte[REPLY * CHUNK];
  private int next;

  /**
   * Connects.
   *
   * @param keys how many keys it writes in turn, a multiple of {@link #CHUNK}
   */
  SetFlood(int port, int keys, int payload) throws IOException {
    socket = new Socket("127.0.0.1", port);
    socket.setTcpNoDelay(true);
    chunks = new byte[keys / CHUNK][];
    for (int chunk = 0; chunk < chunks.length; chunk++) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (int i = 0; i < CHUNK; i++) {
        int number = chunk * CHUNK + i;
        part(bytes, "*3\r\n$3\r\nSET");
        part(bytes, bulk("user:" + number + ":profile"));
        part(bytes, bulk("7:t" + number + ":" + "x".repeat(payload)));
        part(bytes, "");
      }
      chunks[chunk] = bytes.toByteArray();
    }
  }

  private static String bulk(String text) {
    return "$" + text.length() + "\r\n" + text;
  }

  private static void part(ByteArrayOutputStream bytes, String text) throws IOException {
    bytes.write(text.getBytes(StandardCharsets.US_ASCII));
    if (!text.isEmpty()) {
      bytes.write("\r\n".getBytes(StandardCharsets.US_ASCII));
    }
  }

  /**
   * Writes so many keys, never more than {@code window} ahead of what is done.
   *
   * @param done how many of them the subscriber has dealt with
   */
  void write(int writes, int window, LongSupplier done) throws IOException {
    InputStream in = socket.getInputStream();
    for (int written = 0; written < writes; written += CHUNK) {
      while (written + CHUNK - done.getAsLong() > window) {
        LockSupport.parkNanos(100_000);
      }
      socket.getOutputStream().write(chunks[next++ % chunks.length]);
      if (in.readNBytes(replies, 0, replies.length) < replies.length) {
        throw new EOFException("the server closed the connection");
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
