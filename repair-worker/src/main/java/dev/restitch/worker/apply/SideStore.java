package dev.restitch.worker.apply;

import dev.restitch.config.RelationConfig;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import dev.restitch.stamp.StampTemplate;
import dev.restitch.store.StoreClient;
import dev.restitch.writer.Expiry;
import dev.restitch.writer.io.ServerScript;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads and changes the string sides of instances, and markers. Thread-safe; never blocks; stages
 * fail with the store's own exception.
 */
public final class SideStore {

  private static final ServerScript SET = ServerScript.load(SideStore.class, "compare-and-set.lua");
  private static final ServerScript DELETE =
      ServerScript.load(SideStore.class, "compare-and-delete.lua");
  private static final byte[] COMMITTED = {'1'};
  private static final byte[] NOTHING = {};

  /** What {@link #ttlMillis} says where there is no key. */
  public static final long NO_KEY = -2;

  private final Map<String, StoreClient> stores;

  public SideStore(Map<String, StoreClient> stores) {
    this.stores = Map.copyOf(stores);
  }

  /** What stands on a side now; reads no more than the longest stamp. */
  public CompletionStage<Standing> read(RelationConfig relation, StoreKey side) {
    RedisClusterAsyncCommands<byte[], byte[]> commands = commands(side);
    byte[] key = side.key().toArray();
    CompletionStage<byte[]> head = commands.getrange(key, 0, relation.stampLimit() - 1);
    // an absent key and an empty value read alike
    CompletionStage<Long> exists = commands.exists(key);
    return head.thenCombine(
        exists, (bytes, count) -> Standing.of(count > 0, bytes, relation.stamp()));
  }

  /** The whole value and its time to live. */
  public CompletionStage<Held> hold(StoreKey side) {
    RedisClusterAsyncCommands<byte[], byte[]> commands = commands(side);
    byte[] key = side.key().toArray();
    CompletionStage<byte[]> value = commands.get(key);
    return value.thenCombine(commands.pttl(key), Held::new);
  }

  /** Time to live that is left, in milliseconds; -1: none, {@link #NO_KEY}: no key. */
  public CompletionStage<Long> ttlMillis(StoreKey side) {
    return commands(side).pttl(side.key().toArray());
  }

  /**
   * Writes a side if what is expected stands there.
   *
   * @param target the new value's stamp
   * @param value the whole new value
   */
  public CompletionStage<Change> compareAndSet(
      RelationConfig relation,
      StoreKey side,
      Expectation expected,
      Stamp target,
      byte[] value,
      Expiry expiry) {
    return condition(side, expected)
        .thenCompose(
            condition -> {
              CompletionStage<List<Object>> answer =
                  SET.run(
                      commands(side),
                      ScriptOutputType.MULTI,
                      side.key(),
                      ascii(relation.stamp().hasToken() ? "prefix" : "value"),
                      relation.stamp().prefix(target),
                      ascii(condition.kind()),
                      condition.operand(),
                      value,
                      ascii(word(expiry)),
                      ascii(Long.toString(expiry.millis())),
                      ascii(Integer.toString(relation.stampLimit())));
              return answer;
            })
        .thenApply(answer -> change(relation, side, answer, Optional.of(target)));
  }

  /** Removes a side if what is expected stands there. */
  public CompletionStage<Change> compareAndDelete(
      RelationConfig relation, StoreKey side, Expectation expected) {
    return condition(side, expected)
        .thenCompose(
            condition -> {
              CompletionStage<List<Object>> answer =
                  DELETE.run(
                      commands(side),
                      ScriptOutputType.MULTI,
                      side.key(),
                      ascii(condition.kind()),
                      condition.operand(),
                      ascii(Integer.toString(relation.stampLimit())));
              return answer;
            })
        .thenApply(answer -> change(relation, side, answer, Optional.empty()));
  }

  /**
   * Writes a commit marker where none stands.
   *
   * @param expiry none, or after some time
   */
  public CompletionStage<Change> mark(StoreKey marker, Expiry expiry) {
    SetArgs arguments = SetArgs.Builder.nx();
    if (expiry.kind() == Expiry.Kind.AFTER) {
      arguments.px(expiry.millis());
    }
    byte[] key = marker.key().toArray();
    RedisClusterAsyncCommands<byte[], byte[]> commands = commands(marker);
    CompletionStage<String> set = commands.set(key, COMMITTED, arguments);
    return set.thenCompose(
        ok ->
            ok != null
                ? CompletableFuture.completedStage(marked(marker, Change.Kind.WRITTEN, false))
                : commands
                    .get(key)
                    .thenApply(
                        value ->
                            marked(
                                marker,
                                Arrays.equals(value, COMMITTED)
                                    ? Change.Kind.ALREADY
                                    : Change.Kind.CONFLICT,
                                true)));
  }

  private static Change marked(StoreKey marker, Change.Kind kind, boolean stood) {
    return new Change(marker, kind, new Standing(stood, Optional.empty()), "marker");
  }

  /** What the scripts compare. */
  @SuppressWarnings("ArrayRecordComponent") // handed to the script as it is, never compared
  private record Condition(String kind, byte[] operand) {}

  private CompletionStage<Condition> condition(StoreKey side, Expectation expected) {
    if (expected instanceof Expectation.Exact exact) {
      // Lua has SHA-1 only: the digest is checked here, and SHA-1 ties the script to what was read
      return commands(side)
          .get(side.key().toArray())
          .thenApply(
              value ->
                  exact.matches(value)
                      ? new Condition("sha1", ascii(ServerScript.sha1Hex(value)))
                      : new Condition("nothing", NOTHING));
    }
    return CompletableFuture.completedStage(
        expected instanceof Expectation.Stamped stamped
            ? new Condition("prefix", stamped.prefix().toArray())
            : new Condition("absent", NOTHING));
  }

  private static Change change(
      RelationConfig relation, StoreKey side, List<Object> answer, Optional<Stamp> target) {
    StampTemplate template = relation.stamp();
    Standing before = Standing.of((Long) answer.get(1) == 1, (byte[]) answer.get(2), template);
    Change.Kind kind;
    if ((Long) answer.get(0) == 1) {
      kind = Change.Kind.WRITTEN;
    } else if ((Long) answer.get(0) == 2) {
      kind = Change.Kind.ALREADY;
    } else {
      boolean newer =
          target.isPresent()
              && before.stamp().isPresent()
              && Order.newer(relation, before.stamp().get(), target.get());
      kind = newer ? Change.Kind.SUPERSEDED : Change.Kind.CONFLICT;
    }
    return new Change(side, kind, before, target.map(Stamp::toString).orElse("absent"));
  }

  private static String word(Expiry expiry) {
    return switch (expiry.kind()) {
      case NONE -> "";
      case KEEP -> "KEEPTTL";
      case AFTER -> "PX";
    };
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private RedisClusterAsyncCommands<byte[], byte[]> commands(StoreKey key) {
    StoreClient store = stores.get(key.store());
    if (store == null) {
      throw new IllegalArgumentException("store '" + key.store() + "' is not configured");
    }
    Bytes bytes = key.key();
    return store.commands(bytes);
  }
}
