package dev.restitch.sandbox.server;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * The few bytes of the Redis protocol that starting a server takes: simple strings, integers and
 * bulk strings. Not thread-safe.
 */
public final class RespConnection implements AutoCloseable {

  private static final int TIMEOUT_MILLIS = 5_000;

  private final Socket socket = new Socket();
  private final InputStream in;

  public RespConnection(int port) throws IOException {
    try {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Sends one command.
   *
   * @throws IOException also if the server answers with an error
   */
  public String call(String... command) throws IOException {
    StringBuilder request = new StringBuilder("*").append(command.length).append("\r\n");
    for (String part : command) {
      int length = part.getBytes(StandardCharsets.UTF_8).length;
      request.append('$').append(length).append("\r\n").append(part).append("\r\n");
    }
    socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.UTF_8));
    String head = line();
    return switch (head.charAt(0)) {
      case '+', ':' -> head.substring(1);
      case '$' -> bulk(Integer.parseInt(head.substring(1)));
      default -> throw new IOException(String.join(" ", command) + ": " + head);
    };
  }

  private String bulk(int length) throws IOException {
    if (length < 0) {
      return "";
    }
    byte[] body = in.readNBytes(length);
    line();
    return new String(body, StandardCharsets.UTF_8);
  }

  private String line() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("connection closed");
      }
      if (b != '\r') {
        out.write(b);
      }
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
