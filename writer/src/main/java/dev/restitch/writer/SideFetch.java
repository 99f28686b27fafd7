package dev.restitch.writer;

import dev.restitch.config.RelationConfig;
import dev.restitch.config.SideConfig;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import dev.restitch.stamp.StampTemplate.Parsed;
import dev.restitch.writer.io.Stages;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads one side with its value: one command, which therefore sees stamp and payload of one moment.
 * Never blocks.
 *
 * @param index the side's number in its relation
 * @param largest longest string that is served, in bytes
 */
record SideFetch(RelationConfig relation, int index, StoreKey key, int largest) {

  /** Entries of a log that are read, the newest; as many as the audit looks at. */
  static final int WINDOW = 64;

  /** Reads the side; fails as the command does, save for a value of another type. */
  CompletionStage<SideRead> at(RedisClusterAsyncCommands<byte[], byte[]> commands) {
    byte[] name = key.key().toArray();
    CompletionStage<SideRead> read =
        switch (config().type()) {
          case STRING -> string(commands, name, false);
          case HASH -> commands.hgetall(name).thenApply(this::hash);
          case LIST -> commands.lrange(name, -WINDOW, -1).thenApply(this::log);
          case ZSET -> commands.zrange(name, -WINDOW, -1).thenApply(this::log);
        };
    return read.exceptionallyCompose(
        failure ->
            wrongType(failure)
                ? CompletableFuture.completedStage(
                    side(SideState.UNSTAMPED, null, null, "it is of another type than declared"))
                : CompletableFuture.failedStage(failure));
  }

  /** What is told of a side that could not be read. */
  SideRead unreadable(String problem) {
    return side(SideState.UNREADABLE, null, null, problem);
  }

  private CompletionStage<SideRead> string(
      RedisClusterAsyncCommands<byte[], byte[]> commands, byte[] name, boolean exists) {
    return commands
        .getrange(name, 0, largest)
        .thenCompose(
            value -> {
              if (value.length > 0 || exists) {
                return CompletableFuture.completedStage(string(value));
              }
              // an absent key and an empty value are answered alike
              return commands
                  .exists(name)
                  .thenCompose(
                      count ->
                          count == 0
                              ? CompletableFuture.completedStage(absent())
                              : string(commands, name, true));
            });
  }

  private SideRead string(byte[] value) {
    Optional<Parsed> parsed = relation.stamp().read(head(value));
    SideState state = parsed.isPresent() ? SideState.STAMPED : SideState.UNSTAMPED;
    Stamp stamp = parsed.map(Parsed::stamp).orElse(null);
    if (value.length > largest) {
      return side(state, stamp, null, "it is longer than " + largest + " bytes");
    }
    int from = parsed.map(Parsed::payloadOffset).orElse(0);
    Bytes payload = Bytes.copyOf(value, from, value.length - from);
    return side(state, stamp, new SideValue.Payload(payload), null);
  }

  /** No more than the longest stamp, as the audit reads. */
  private byte[] head(byte[] value) {
    return Arrays.copyOf(value, Math.min(value.length, relation.stampLimit()));
  }

  private SideRead hash(Map<byte[], byte[]> content) {
    if (content.isEmpty()) {
      return absent();
    }
    Map<Bytes, Bytes> fields = new LinkedHashMap<>();
    content.forEach((field, value) -> fields.put(Bytes.copyOf(field), Bytes.copyOf(value)));
    Optional<Stamp> stamp =
        config()
            .stampOf(
                field(fields, config().versionField()),
                field(fields, config().tokenField()),
                relation.stampLimit());
    return side(
        stamp.isPresent() ? SideState.STAMPED : SideState.UNSTAMPED,
        stamp.orElse(null),
        new SideValue.Fields(fields),
        null);
  }

  private static byte[] field(Map<Bytes, Bytes> fields, String name) {
    Bytes value =
        name == null ? null : fields.get(Bytes.copyOf(name.getBytes(StandardCharsets.UTF_8)));
    return value == null ? null : value.toArray();
  }

  private SideRead log(List<byte[]> newest) {
    if (newest.isEmpty()) {
      return absent();
    }
    List<SideValue.Entry> entries = new ArrayList<>(newest.size());
    for (byte[] entry : newest) {
      relation
          .stamp()
          .read(head(entry))
          .ifPresent(
              p ->
                  entries.add(
                      new SideValue.Entry(
                          p.stamp().token(),
                          Bytes.copyOf(
                              entry, p.payloadOffset(), entry.length - p.payloadOffset()))));
    }
    SideState state = entries.isEmpty() ? SideState.UNSTAMPED : SideState.STAMPED;
    return side(state, null, new SideValue.Entries(entries), null);
  }

  private SideRead absent() {
    return side(SideState.ABSENT, null, null, null);
  }

  private SideRead side(SideState state, Stamp stamp, SideValue value, String problem) {
    return new SideRead(config().name(), key, state, stamp, value, problem, null);
  }

  private SideConfig config() {
    return relation.sides().get(index);
  }

  private static boolean wrongType(Throwable failure) {
    Throwable cause = Stages.cause(failure);
    return cause instanceof RedisCommandExecutionException
        && cause.getMessage() != null
        && cause.getMessage().startsWith("WRONGTYPE");
  }
}
