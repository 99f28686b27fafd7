package dev.restitch.read;

import dev.restitch.config.SideConfig;
import dev.restitch.model.Bytes;
import dev.restitch.stamp.Stamp;
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
    long version = -1;
    Bytes token = Bytes.EMPTY;
    if (side.versionField() != null) {
      version = version(fields.get(at++).getValueOrElse(new byte[0]));
      if (version < 0) {
        return Sighting.unstamped(left, null, null);
      }
    }
    if (side.tokenField() != null) {
      byte[] value = fields.get(at).getValueOrElse(new byte[0]);
      if (value.length == 0 || value.length > stampLimit) {
        return Sighting.unstamped(left, null, null);
      }
      token = Bytes.copyOf(value);
    }
    return Sighting.stamped(new Stamp(version < 0 ? null : version, token), left, null, null);
  }

  /** The version in a field: decimal digits without leading zeros; -1 if it is none. */
  static long version(byte[] field) {
    String text = new String(field, StandardCharsets.ISO_8859_1);
    if (!text.matches("0|[1-9][0-9]{0,18}")) {
      return -1;
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException tooLarge) {
      return -1;
    }
  }
}
