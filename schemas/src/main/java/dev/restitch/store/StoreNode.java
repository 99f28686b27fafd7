package dev.restitch.store;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;

/** One primary of a store. Thread-safe. */
public interface StoreNode {

  /** {@code host:port}. */
  String id();

  /** Number of the database that the store uses; 0 in a cluster. */
  int database();

  /** How many hash slots it serves now; empty where the store is no cluster. */
  OptionalInt slots();

  /**
   * Run id of the server process that answers on the present connection; empty while disconnected
   * or not yet known. Never blocks.
   */
  Optional<String> runId();

  /** Commands on this very node; they fail at once while it is not reached. Never blocks. */
  RedisClusterAsyncCommands<byte[], byte[]> commands();

  /**
   * Opens a connection of its own whose commands go out together; it is reached in the background.
   * The caller closes it. Never blocks.
   */
  StorePipeline openPipeline();

  /** Opens a dedicated publish-subscribe connection to this node; the caller closes it. */
  CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> openPubSub();
}
