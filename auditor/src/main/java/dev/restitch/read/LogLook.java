package dev.restitch.read;

import dev.restitch.model.Bytes;
import dev.restitch.stamp.StampTemplate;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Looks at the tail of an append-only log: the tokens of its newest {@link #WINDOW} entries.
 *
 * <p>No command tells how long an entry is, or reads a part of it. So a script that may only read
 * ({@code EVAL_RO}) cuts each entry to the longest stamp on the server, and sees tail, length and
 * TTL at one moment. Servers before 7.0, and users who may not run it, are asked for the whole
 * entries instead.
 *
 * @param sorted true: a sorted set; false: a list
 * @param cut false: the server does not run the script
 */
record LogLook(StampTemplate template, boolean sorted, int stampLimit, boolean cut)
    implements Look {

  /** Entries of a log that are looked at. */
  static final int WINDOW = 64;

  private static final byte[] SCRIPT =
      """
      local left = redis.call('PTTL', KEYS[1])
      local length = redis.call(ARGV[1], KEYS[1])
      local tail = redis.call(ARGV[2], KEYS[1], ARGV[3], -1)
      for i, entry in ipairs(tail) do tail[i] = string.sub(entry, 1, ARGV[4]) end
      return {left, length, tail}
      """
          .getBytes(StandardCharsets.US_ASCII);

  @Override
  public CompletableFuture<Sighting> at(
      RedisClusterAsyncCommands<byte[], byte[]> first,
      RedisClusterAsyncCommands<byte[], byte[]> then,
      byte[] key) {
    return cut ? atOneMoment(first, key) : whole(first, key);
  }

  private CompletableFuture<Sighting> atOneMoment(
      RedisClusterAsyncCommands<byte[], byte[]> commands, byte[] key) {
    return commands
        .<List<Object>>evalReadOnly(
            SCRIPT,
            ScriptOutputType.MULTI,
            new byte[][] {key},
            ascii(sorted ? "ZCARD" : "LLEN"),
            ascii(sorted ? "ZRANGE" : "LRANGE"),
            ascii(Integer.toString(-WINDOW)),
            ascii(Integer.toString(stampLimit)))
        .toCompletableFuture()
        .thenApply(
            answer -> {
              List<byte[]> tail =
                  ((List<?>) answer.get(2)).stream().map(byte[].class::cast).toList();
              return weigh((long) answer.get(0), tail, (long) answer.get(1));
            });
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private CompletableFuture<Sighting> whole(
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
