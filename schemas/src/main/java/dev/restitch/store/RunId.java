package dev.restitch.store;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The run id of the server process at the other end of one connection: forgotten when the
 * connection is lost, asked for again when it is back. Never names a process that did not answer on
 * the present connection.
 */
final class RunId implements RedisConnectionStateListener {

  private static final Logger LOG = LoggerFactory.getLogger(RunId.class);

  private final String address;
  private final AtomicLong connections = new AtomicLong();
  private volatile String id;
  private volatile StatefulRedisConnection<byte[], byte[]> connection;

  RunId(String address) {
    this.address = address;
  }

  /** Follows this connection, which is open. */
  void follow(StatefulRedisConnection<byte[], byte[]> open) {
    connection = open;
    open.addListener(this);
    ask();
  }

  Optional<String> get() {
    return Optional.ofNullable(id);
  }

  @Override
  public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress socket) {
    id = null;
    ask();
  }

  @Override
  public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
    connections.incrementAndGet();
    id = null;
  }

  private void ask() {
    long asked = connections.get();
    connection
        .async()
        .info("server")
        .whenComplete(
            (info, failure) -> {
              if (failure != null) {
                LOG.atWarn()
                    .addKeyValue("node", address)
                    .addKeyValue("reason", StoreException.reason(failure))
                    .log("run id not known: INFO server failed");
              } else if (connections.get() == asked) {
                id = parse(info).orElse(null);
              }
            });
    connection.flushCommands(); // the connection may be one whose commands wait
  }

  /** The {@code run_id} line of {@code INFO server}. */
  static Optional<String> parse(String info) {
    return info.lines()
        .filter(line -> line.startsWith("run_id:"))
        .map(line -> line.substring("run_id:".length()).trim())
        .findFirst();
  }
}
