package dev.restitch.store;

import dev.restitch.model.Bytes;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.List;

/**
 * An open connection to one named store, whatever its kind. All commands are asynchronous, have a
 * timeout, and are rejected rather than queued while disconnected. Thread-safe.
 */
public interface StoreClient extends AutoCloseable {

  /** The store's name in the configuration. */
  String name();

  /** Commands that reach the primary which holds this key. Never blocks. */
  RedisClusterAsyncCommands<byte[], byte[]> commands(Bytes key);

  /**
   * The node that holds this key now. Never blocks.
   *
   * @throws StoreException if no primary of a cluster serves the key's slot
   */
  StoreNode nodeOf(Bytes key);

  /**
   * True if the servers share the keys out by slot and send a command on, so that a key of any name
   * stands on one of them only; false if each primary has a key space of its own.
   */
  default boolean cluster() {
    return false;
  }

  /** The primaries known now: in use, not failed, holding keys. Never blocks. */
  List<StoreNode> primaries();

  /**
   * Calls back, on a thread that must not be blocked, after each change of the primaries (clusters
   * only). Several listeners may be added.
   */
  void onTopologyChange(Runnable listener);

  /** Closes every connection. Idempotent. */
  @Override
  void close();
}
