package dev.restitch.read;

import dev.restitch.model.Bytes;
import dev.restitch.stamp.StampTemplate;
import dev.restitch.stamp.StampTemplate.Parsed;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Looks at a string: no more than the longest stamp is read, whatever the length of the value. Only
 * a value without a token, which nothing else would tell from another, is read to its end, and only
 * up to {@link #DIGEST_LIMIT}.
 *
 * @param stampLimit longest stamp in bytes
 */
record StringLook(StampTemplate template, int stampLimit) implements Look {

  /** Longest value in bytes that a digest is computed of. */
  static final int DIGEST_LIMIT = 1 << 20;

  @Override
  public CompletableFuture<Sighting> at(
      RedisClusterAsyncCommands<byte[], byte[]> first,
      RedisClusterAsyncCommands<byte[], byte[]> then,
      byte[] key) {
    CompletableFuture<Long> pttl = first.pttl(key).toCompletableFuture();
    CompletableFuture<byte[]> head = first.getrange(key, 0, stampLimit - 1L).toCompletableFuture();
    CompletableFuture<Long> length = first.strlen(key).toCompletableFuture();
    return CompletableFuture.allOf(pttl, head, length)
        .thenCompose(done -> weigh(then, key, pttl.join(), head.join(), length.join()));
  }

  private CompletableFuture<Sighting> weigh(
      RedisClusterAsyncCommands<byte[], byte[]> commands,
      byte[] key,
      long pttl,
      byte[] head,
      long length) {
    // GETRANGE answers the empty string for an absent key and for an empty value alike
    if (pttl == NO_KEY && length == 0 && head.length == 0) {
      return CompletableFuture.completedFuture(Sighting.absent());
    }
    boolean fits = pttl != NO_KEY && length > 0 && head.length == Math.min(length, stampLimit);
    Optional<Parsed> parsed = template.read(head);
    if (!fits || (parsed.isPresent() && template.hasToken()) || length > DIGEST_LIMIT) {
      Sighting seen = sighting(parsed, pttl, length, null);
      return CompletableFuture.completedFuture(fits ? seen : seen.unsettled());
    }
    int payloadAt = parsed.map(Parsed::payloadOffset).orElse(0);
    if (head.length == length) {
      return CompletableFuture.completedFuture(
          sighting(parsed, pttl, length, sha256(head, payloadAt)));
    }
    return commands
        .getrange(key, 0, DIGEST_LIMIT)
        .toCompletableFuture()
        .thenApply(
            whole -> {
              boolean same =
                  whole.length == length
                      && Arrays.equals(head, 0, head.length, whole, 0, head.length);
              return same
                  ? sighting(parsed, pttl, length, sha256(whole, payloadAt))
                  : sighting(parsed, pttl, length, null).unsettled();
            });
  }

  private static Sighting sighting(Optional<Parsed> parsed, long pttl, long length, Bytes digest) {
    Long left = Look.timeLeft(pttl);
    return parsed
        .map(p -> Sighting.stamped(p.stamp(), left, length, digest))
        .orElseGet(() -> Sighting.unstamped(left, length, digest));
  }

  /** SHA-256 of a value from an offset on. */
  static Bytes sha256(byte[] value, int from) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      sha.update(value, from, value.length - from);
      return Bytes.copyOf(sha.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
