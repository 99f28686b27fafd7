package dev.restitch.sandbox.eyes;

import dev.restitch.sandbox.server.FaultProxy;
import dev.restitch.sandbox.server.RedisProcess;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;

/**
 * A server, the proxy by which the auditor reaches it, and a way of our own beside that.
 * Thread-safe.
 */
final class Server implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final RedisProcess process;
  private final FaultProxy proxy;
  private final RedisClient client;
  private final StatefulRedisConnection<byte[], byte[]> connection;

  /** Connects to a server that runs. */
  Server(RedisProcess process, FaultProxy proxy) {
    this.process = process;
    this.proxy = proxy;
    proxy.target(process.port());
    RedisURI uri = RedisURI.create(process.uri());
    uri.setTimeout(TIMEOUT);
    client = RedisClient.create(uri);
    // what could not be sent is not sent later: it would tear what is settled by then
    client.setOptions(
        ClientOptions.builder()
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .replayFilter(command -> true)
            .build());
    connection = client.connect(ByteArrayCodec.INSTANCE);
  }

  RedisProcess process() {
    return process;
  }

  FaultProxy proxy() {
    return proxy;
  }

  RedisCommands<byte[], byte[]> commands() {
    return connection.sync();
  }

  /** True if it runs and says that it is a primary. */
  boolean primary() {
    return process.alive() && commands().info("replication").contains("role:master");
  }

  @Override
  public void close() {
    client.shutdown(Duration.ZERO, TIMEOUT);
    proxy.close();
  }
}
