package dev.restitch.read;

import dev.restitch.config.SideConfig;
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
    byte[] version = side.versionField() == null ? null : fields.get(at++).getValueOrElse(null);
    byte[] token = side.tokenField() == null ? null : fields.get(at).getValueOrElse(null);
    return side.stampOf(version, token, stampLimit)
        .map(stamp -> Sighting.stamped(stamp, left, null, null))
        .orElseGet(() -> Sighting.unstamped(left, null, null));
  }
}
