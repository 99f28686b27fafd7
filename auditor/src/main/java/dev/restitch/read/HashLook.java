package dev.restitch.read;

import dev.restitch.config.SideConfig;
import io.lettuce.core.KeyValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Looks at a hash: only at the fields that hold version and token, and at these only where their
 * lengths, which are asked for first, are those of a stamp.
 */
record HashLook(SideConfig side, int stampLimit) implements Look {

  private static final int LONGEST_VERSION = 19;

  @Override
  public CompletableFuture<Sighting> at(
      RedisClusterAsyncCommands<byte[], byte[]> first,
      RedisClusterAsyncCommands<byte[], byte[]> then,
      byte[] key) {
    List<byte[]> names = names();
    CompletableFuture<Long> pttl = first.pttl(key).toCompletableFuture();
    List<CompletableFuture<Long>> asked = new ArrayList<>();
    names.forEach(name -> asked.add(first.hstrlen(key, name).toCompletableFuture()));
    return CompletableFuture.allOf(
            Stream.concat(Stream.of(pttl), asked.stream()).toArray(CompletableFuture<?>[]::new))
        .thenCompose(
            done -> {
              List<Long> lengths = asked.stream().map(CompletableFuture::join).toList();
              return weigh(then, key, names, pttl.join(), lengths);
            });
  }

  private List<byte[]> names() {
    return Stream.of(side.versionField(), side.tokenField())
        .filter(Objects::nonNull)
        .map(name -> name.getBytes(StandardCharsets.UTF_8))
        .toList();
  }

  private CompletableFuture<Sighting> weigh(
      RedisClusterAsyncCommands<byte[], byte[]> then,
      byte[] key,
      List<byte[]> names,
      long pttl,
      List<Long> lengths) {
    if (lengths.stream().allMatch(length -> length == 0)) {
      // HSTRLEN answers 0 for an absent hash, an absent field and an empty field alike
      return CompletableFuture.completedFuture(
          pttl == NO_KEY ? Sighting.absent() : Sighting.unstamped(Look.timeLeft(pttl), null, null));
    }
    if (pttl == NO_KEY || !stampLong(lengths)) {
      Sighting seen = Sighting.unstamped(Look.timeLeft(pttl), null, null);
      return CompletableFuture.completedFuture(pttl == NO_KEY ? seen.unsettled() : seen);
    }
    return then.hmget(key, names.toArray(byte[][]::new))
        .toCompletableFuture()
        .thenApply(
            fields -> {
              Sighting seen = stamp(fields, Look.timeLeft(pttl));
              return lengths.equals(lengths(fields)) ? seen : seen.unsettled();
            });
  }

  /** True if every field is as long as its part of a stamp may be. */
  private boolean stampLong(List<Long> lengths) {
    for (int i = 0; i < lengths.size(); i++) {
      boolean version = i == 0 && side.versionField() != null;
      if (lengths.get(i) == 0 || lengths.get(i) > (version ? LONGEST_VERSION : stampLimit)) {
        return false;
      }
    }
    return true;
  }

  private static List<Long> lengths(List<KeyValue<byte[], byte[]>> fields) {
    return fields.stream().map(field -> (long) field.getValueOrElse(new byte[0]).length).toList();
  }

  private Sighting stamp(List<KeyValue<byte[], byte[]>> fields, Long left) {
    int at = 0;
    byte[] version = side.versionField() == null ? null : fields.get(at++).getValueOrElse(null);
    byte[] token = side.tokenField() == null ? null : fields.get(at).getValueOrElse(null);
    return side.stampOf(version, token, stampLimit)
        .map(stamp -> Sighting.stamped(stamp, left, null, null))
        .orElseGet(() -> Sighting.unstamped(left, null, null));
  }
}
