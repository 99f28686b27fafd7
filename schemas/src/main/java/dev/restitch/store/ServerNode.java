package dev.restitch.store;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One server process, reached at one address by a connection that reconnects by itself. */
final class ServerNode implements StoreNode {

  private static final Logger LOG = LoggerFactory.getLogger(ServerNode.class);
  private static final long RETRY_NANOS = 500_000_000L;

  private final RedisClient client;
  private final RedisURI uri;
  private final String id;
  private final RunId runId;
  private final RedisClusterAsyncCommands<byte[], byte[]> refusal;
  private final AtomicBoolean connecting = new AtomicBoolean();
  private volatile long retryAtNanos;
  private volatile StatefulRedisConnection<byte[], byte[]> connection;
  private volatile boolean closed;

  ServerNode(RedisClient client, RedisURI uri) {
    this.client = client;
    this.uri = uri;
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
   * has failed; a node that failed is tried again when it is next used.
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
    runId.follow(open);
    connection = open;
    if (closed) {
      CompletableFuture<Void> unused = open.closeAsync();
    }
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public int database() {
    return uri.getDatabase();
  }

  @Override
  public Optional<String> runId() {
    return runId.get();
  }

  @Override
  public RedisClusterAsyncCommands<byte[], byte[]> commands() {
    StatefulRedisConnection<byte[], byte[]> open = connection;
    if (open != null) {
      return open.async();
    }
    if (!connecting.get() && System.nanoTime() - retryAtNanos >= 0) {
      CompletableFuture<Void> unused = connectAsync();
    }
    return refusal;
  }

  @Override
  public CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> openPubSub() {
    return client.connectPubSubAsync(ByteArrayCodec.INSTANCE, uri);
  }

  /** Lets the connection go; later commands fail. */
  void closeAsync() {
    closed = true;
    StatefulRedisConnection<byte[], byte[]> open = connection;
    if (open != null) {
      CompletableFuture<Void> unused = open.closeAsync();
    }
  }
}
