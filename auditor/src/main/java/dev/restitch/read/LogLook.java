package dev.restitch.read;

import dev.restitch.model.Bytes;
import dev.restitch.stamp.StampTemplate;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Looks at the tail of an append-only log: the tokens of its newest {@link #WINDOW} entries.
 *
 * @param sorted true: a sorted set; false: a list
 */
record LogLook(StampTemplate template, boolean sorted) implements Look {

  /** Entries of a log that are looked at. */
  static final int WINDOW = 64;

  @Override
  public CompletableFuture<Sighting> at(
      RedisClusterAsyncCommands<byte[], byte[]> commands, byte[] key) {
    CompletableFuture<Long> pttl = commands.pttl(key).toCompletableFuture();
    CompletableFuture<List<byte[]>> tail =
        (sorted ? commands.zrange(key, -WINDOW, -1) : commands.lrange(key, -WINDOW, -1))
            .toCompletableFuture();
    CompletableFuture<Long> length =
        (sorted ? commands.zcard(key) : commands.llen(key)).toCompletableFuture();
    return CompletableFuture.allOf(pttl, tail, length)
        .thenApply(done -> weigh(pttl.join(), tail.join(), length.join()));
  }

  private Sighting weigh(long pttl, List<byte[]> tail, long length) {
    if (tail.isEmpty() && length == 0) {
      return Sighting.absent();
    }
    List<Bytes> tokens =
        tail.stream().flatMap(e -> template.read(e).stream()).map(p -> p.stamp().token()).toList();
    Long left = Look.timeLeft(pttl);
    Sighting seen =
        tokens.isEmpty()
            ? Sighting.unstamped(left, length, null)
            : Sighting.log(tokens, left, length);
    return pttl != NO_KEY && tail.size() == Math.min(length, WINDOW) ? seen : seen.unsettled();
  }
}
