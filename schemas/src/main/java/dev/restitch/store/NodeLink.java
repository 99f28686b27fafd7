package dev.restitch.store;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection to one address, which reconnects by itself and knows who answers on it. */
final class NodeLink implements StorePipeline {

  private static final Logger LOG = LoggerFactory.getLogger(NodeLink.class);
  private static final long RETRY_NANOS = 500_000_000L;

  private final RedisClient client;
  private final RedisURI uri;
  private final boolean flushesAtOnce;
  private final String id;
  private final RunId runId;
  private final RedisClusterAsyncCommands<byte[], byte[]> refusal;
  private final AtomicBoolean connecting = new AtomicBoolean();
  private volatile long retryAtNanos;
  private volatile StatefulRedisConnection<byte[], byte[]> connection;
  private volatile boolean closed;

  /**
   * Not connected yet.
   *
   * @param flushesAtOnce false: commands wait for {@link #flush}
   */
  NodeLink(RedisClient client, RedisURI uri, boolean flushesAtOnce) {
    this.client = client;
    this.uri = uri;
    this.flushesAtOnce = flushesAtOnce;
    this.id = ConnectionSettings.address(uri);
    this.runId = new RunId(id);
    this.refusal = Refusal.at(id);
  }

  /** Connects and waits for it; throws what Lettuce throws. */
  void connect() {
    adopt(client.connect(ByteArrayCodec.INSTANCE, uri));
  }

  /**
   * Connects without waiting; until then commands fail at once. Completes when it is connected or
   * has failed; what failed is tried again when it is next used.
   */
  CompletableFuture<Void> connectAsync() {
    if (closed || !connecting.compareAndSet(false, true)) {
      return CompletableFuture.completedFuture(null);
    }
    return client
        .connectAsync(ByteArrayCodec.INSTANCE, uri)
        .toCompletableFuture()
        .handle(
            (open, failure) -> {
              if (failure == null) {
                adopt(open);
              } else {
                retryAtNanos = System.nanoTime() + RETRY_NANOS;
                LOG.atWarn()
                    .addKeyValue("node", id)
                    .addKeyValue("reason", StoreException.reason(failure))
                    .log("node not reached");
              }
              connecting.set(false);
              return null;
            });
  }

  private void adopt(StatefulRedisConnection<byte[], byte[]> open) {
    open.setAutoFlushCommands(flushesAtOnce);
    runId.follow(open);
    connection = open;
    if (closed) {
      CompletableFuture<Void> unused = open.closeAsync();
    }
  }

  @Override
  public Optional<String> runId() {
    if (connection == null) {
      tryAgain();
    }
    return runId.get();
  }

  @Override
  public RedisClusterAsyncCommands<byte[], byte[]> commands() {
    StatefulRedisConnection<byte[], byte[]> open = connection;
    if (open != null) {
      return open.async();
    }
    tryAgain();
    return refusal;
  }

  private void tryAgain() {
    if (!connecting.get() && System.nanoTime() - retryAtNanos >= 0) {
      CompletableFuture<Void> unused = connectAsync();
    }
  }

  @Override
  public void flush() {
    StatefulRedisConnection<byte[], byte[]> open = connection;
    if (open != null) {
      open.flushCommands();
    }
  }

  @Override
  public void close() {
    closed = true;
    StatefulRedisConnection<byte[], byte[]> open = connection;
    if (open != null) {
      CompletableFuture<Void> unused = open.closeAsync();
    }
  }
}
