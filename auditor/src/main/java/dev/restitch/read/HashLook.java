package dev.restitch.read;

import dev.restitch.config.SideConfig;
import dev.restitch.model.Bytes;
import dev.restitch.stamp.Stamp;
import io.lettuce.core.KeyValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Looks at a hash: only at the fields that hold version and token. */
record HashLook(SideConfig side, int stampLimit) implements Look {

  @Override
  public CompletableFuture<Sighting> at(
      RedisClusterAsyncCommands<byte[], byte[]> commands, byte[] key) {
    CompletableFuture<Long> pttl = commands.pttl(key).toCompletableFuture();
    CompletableFuture<List<KeyValue<byte[], byte[]>>> fields =
        commands.hmget(key, names()).toCompletableFuture();
    return CompletableFuture.allOf(pttl, fields)
        .thenApply(done -> weigh(pttl.join(), fields.join()));
  }

  private byte[][] names() {
    return java.util.stream.Stream.of(side.versionField(), side.tokenField())
        .filter(java.util.Objects::nonNull)
        .map(name -> name.getBytes(StandardCharsets.UTF_8))
        .toArray(byte[][]::new);
  }

  private Sighting weigh(long pttl, List<KeyValue<byte[], byte[]>> fields) {
    boolean none = fields.stream().noneMatch(KeyValue::hasValue);
    if (pttl == NO_KEY && none) {
      return Sighting.absent();
    }
    Sighting seen = stamp(fields, Look.timeLeft(pttl));
    return pttl == NO_KEY || none ? seen.unsettled() : seen;
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
