package dev.restitch.writer;

import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.store.StoreClient;
import dev.restitch.writer.io.ServerScript;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Mints versions from counters in stores. A version that it gave out is given out by that counter
 * to nobody else, while the counter's primary keeps what it acknowledged. Thread-safe; never
 * blocks.
 */
public final class VersionMint {

  /** Rounds in which several counters must agree; a round is lost only to another's mint. */
  private static final int ROUNDS = 64;

  private static final ServerScript ABOVE = ServerScript.load(VersionMint.class, "mint-above.lua");

  private final Map<String, StoreClient> stores;

  public VersionMint(Map<String, StoreClient> stores) {
    this.stores = Map.copyOf(stores);
  }

  /** The counter's next version: one {@code INCR}. */
  public CompletionStage<Long> next(StoreKey counter) {
    return commands(counter).incr(counter.key().toArray());
  }

  /**
   * The counter's next version, above a floor: where one {@code INCR} does not get there, the
   * counter is set forward in the same step.
   *
   * @param floor zero or greater
   * @throws IllegalArgumentException if nothing is above the floor
   */
  public CompletionStage<Long> above(StoreKey counter, long floor) {
    if (floor < 0 || floor == Long.MAX_VALUE) {
      throw new IllegalArgumentException("no version is above " + floor);
    }
    return atLeast(counter, floor + 1);
  }

  /**
   * One version for a transaction that spans several counters: above what each has given out, and
   * taken from each.
   *
   * @param counters distinct, at least one
   */
  public CompletionStage<Long> next(List<StoreKey> counters) {
    if (counters.size() == 1) {
      return next(counters.get(0));
    }
    // all writers go through the counters in one order, so that few overtake each other
    return round(counters.stream().sorted().toList(), 0, ROUNDS);
  }

  private CompletionStage<Long> round(List<StoreKey> counters, long least, int left) {
    if (left == 0) {
      return CompletableFuture.failedStage(
          new IllegalStateException(
              counters.size() + " counters did not agree on a version: too many writers at once"));
    }
    return atLeast(counters.get(0), least)
        .thenCompose(version -> agree(counters, 1, version, left));
  }

  /** Takes the version from the next counter; where that is past it, all begin again from there. */
  private CompletionStage<Long> agree(List<StoreKey> counters, int at, long version, int left) {
    if (at == counters.size()) {
      return CompletableFuture.completedStage(version);
    }
    return atLeast(counters.get(at), version)
        .thenCompose(
            given ->
                given == version
                    ? agree(counters, at + 1, version, left)
                    : round(counters, given, left - 1));
  }

  private CompletionStage<Long> atLeast(StoreKey counter, long least) {
    CompletionStage<byte[]> given =
        ABOVE.run(
            commands(counter),
            ScriptOutputType.VALUE,
            counter.key(),
            Long.toString(least).getBytes(StandardCharsets.US_ASCII));
    return given.thenApply(v -> Long.parseLong(new String(v, StandardCharsets.US_ASCII)));
  }

  private RedisClusterAsyncCommands<byte[], byte[]> commands(StoreKey counter) {
    StoreClient store = stores.get(counter.store());
    if (store == null) {
      throw new IllegalArgumentException("store '" + counter.store() + "' is not open");
    }
    Bytes key = counter.key();
    return store.commands(key);
  }
}
