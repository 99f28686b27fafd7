package dev.restitch.worker;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import redis.embedded.RedisServer;

/** A real server on a free loopback port, and a plain connection to it. */
public final class TestRedis implements AutoCloseable {

  private final int port;
  private final RedisServer server;
  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;

  public TestRedis() {
    try {
      port = freePort();
      server =
          RedisServer.builder()
              .port(port)
              .setting("bind 127.0.0.1")
              .setting("save \"\"")
              .setting("appendonly no")
              .build();
      server.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    client = RedisClient.create(uri());
    connection = client.connect();
  }

  public String uri() {
    return "redis://127.0.0.1:" + port;
  }

  public RedisCommands<String, String> commands() {
    return connection.sync();
  }

  /** Ends the process and starts another one, empty, on the same port. */
  public void restart() {
    server.stop();
    server.start();
    await().ignoreExceptions().until(() -> "PONG".equals(connection.async().ping().get()));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
    server.stop();
  }
}
