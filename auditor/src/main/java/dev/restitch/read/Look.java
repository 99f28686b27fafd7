package dev.restitch.read;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.concurrent.CompletableFuture;

/** One way of looking at a key: a few commands in one pipeline. Never blocks. */
@FunctionalInterface
interface Look {

  /** What {@code PTTL} answers for an absent key. */
  long NO_KEY = -2;

  /**
   * Looks once. Fails with what the server or the connection said; a wrong type fails with {@code
   * WRONGTYPE}.
   *
   * @param first sends what is asked first, maybe only when its pipeline is flushed
   * @param then sends at once what the first answers make necessary; to the same node
   */
  CompletableFuture<Sighting> at(
      RedisClusterAsyncCommands<byte[], byte[]> first,
      RedisClusterAsyncCommands<byte[], byte[]> then,
      byte[] key);

  /** The time left that a {@code PTTL} reply tells; null: none. */
  static Long timeLeft(long pttl) {
    return pttl < 0 ? null : pttl;
  }
}
