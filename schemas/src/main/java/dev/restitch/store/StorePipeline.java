package dev.restitch.store;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.Optional;

/**
 * A connection of its own to one node, whose commands wait until {@link #flush} and then go out
 * together: one write to the socket instead of one a command. A command that is never flushed times
 * out like one that is not answered. Reconnects by itself; thread-safe; never blocks.
 */
public interface StorePipeline extends AutoCloseable {

  /** Commands that wait for {@link #flush}; they fail at once while the node is not reached. */
  RedisClusterAsyncCommands<byte[], byte[]> commands();

  /** Sends what waits. */
  void flush();

  /**
   * Run id of the server process that answers on the present connection; empty while disconnected
   * or not yet known.
   */
  Optional<String> runId();

  /** Lets the connection go; later commands fail. Idempotent. */
  @Override
  void close();
}
