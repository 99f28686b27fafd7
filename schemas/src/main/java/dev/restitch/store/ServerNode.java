package dev.restitch.store;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One server process, reached at one address by a connection that reconnects by itself. */
final class ServerNode implements StoreNode {

  private static final int NO_CLUSTER = -1;

  private final RedisClient client;
  private final RedisURI uri;
  private final String id;
  private final NodeLink link;
  private volatile int slots = NO_CLUSTER;

  ServerNode(RedisClient client, RedisURI uri) {
    this.client = client;
    this.uri = uri;
    this.id = ConnectionSettings.address(uri);
    this.link = new NodeLink(client, uri, true);
  }

  /** Connects and waits for it; throws what Lettuce throws. */
  void connect() {
    link.connect();
  }

  /**
   * Connects without waiting; until then commands fail at once. Completes when it is connected or
   * has failed; a node that failed is tried again when it is next used.
   */
  CompletableFuture<Void> connectAsync() {
    return link.connectAsync();
  }

  /** It serves so many slots of a cluster now. */
  void serves(int hashSlots) {
    slots = hashSlots;
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
  public OptionalInt slots() {
    int now = slots;
    return now == NO_CLUSTER ? OptionalInt.empty() : OptionalInt.of(now);
  }

  @Override
  public Optional<String> runId() {
    return link.runId();
  }

  @Override
  public RedisClusterAsyncCommands<byte[], byte[]> commands() {
    return link.commands();
  }

  @Override
  public StorePipeline openPipeline() {
    NodeLink pipeline = new NodeLink(client, uri, false);
    CompletableFuture<Void> unused = pipeline.connectAsync();
    return pipeline;
  }

  @Override
  public CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> openPubSub() {
    return client.connectPubSubAsync(ByteArrayCodec.INSTANCE, uri);
  }

  /** Lets the connection go; later commands fail. */
  void closeAsync() {
    link.close();
  }
}
