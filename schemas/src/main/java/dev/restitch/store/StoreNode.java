package dev.restitch.store;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.CompletionStage;

/** One primary of a store. Thread-safe. */
public interface StoreNode {

  /** {@code host:port}. */
  String id();

  /** Commands on this very node. Never blocks. */
  RedisClusterAsyncCommands<byte[], byte[]> commands();

  /** Opens a dedicated publish-subscribe connection to this node; the caller closes it. */
  CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> openPubSub();
}
