package dev.restitch.read;

import dev.restitch.avro.KeyState;
import dev.restitch.avro.Reading;
import dev.restitch.config.RelationConfig;
import dev.restitch.config.Relations.Side;
import dev.restitch.config.SideConfig;
import dev.restitch.model.StoreKey;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreException;
import dev.restitch.store.StoreNode;
import dev.restitch.store.StorePipeline;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Reads sides and markers on the primaries that hold them. Never blocks, and its futures never
 * fail: what cannot be read is {@code UNREADABLE}. Futures complete on a connection's thread, which
 * must not be blocked. Thread-safe.
 */
public final class SideReader {

  private static final int LOOKS = 4;

  private final Map<String, StoreClient> stores;
  private final Clock clock;

  /** Stores whose servers do not run the script that cuts long entries. */
  private final Set<String> uncut = ConcurrentHashMap.newKeySet();

  /**
   * Reads from these stores.
   *
   * @param clock tells when a TTL ends
   */
  public SideReader(Map<String, StoreClient> stores, Clock clock) {
    this.stores = Map.copyOf(stores);
    this.clock = clock;
  }

  /**
   * Reads a side as its relation declares it. A value of another type, and a stamp longer than the
   * limit, are {@code UNSTAMPED}: something is there that carries no stamp. {@code primary} is null
   * where the process that answered is not known for sure.
   */
  public CompletableFuture<Reading> read(Side side) {
    return read(side, null, null);
  }

  /**
   * Reads like {@link #read(Side)}. Where {@code node} still holds the key, what is asked first
   * waits in the pipeline until that is flushed; all else goes out at once.
   *
   * @param pipeline to {@code node}
   */
  public CompletableFuture<Reading> read(Side side, StoreNode node, StorePipeline pipeline) {
    return read(side.key(), cut -> look(side, cut), node, pipeline);
  }

  /** Reads a marker: {@code PRESENT}, with its end of life, or {@code ABSENT}. */
  public CompletableFuture<Reading> readMarker(StoreKey marker) {
    Look look =
        (first, then, key) ->
            first
                .pttl(key)
                .toCompletableFuture()
                .thenApply(
                    pttl ->
                        pttl == Look.NO_KEY
                            ? Sighting.absent()
                            : Sighting.present(Look.timeLeft(pttl)));
    return read(marker, cut -> look, null, null);
  }

  /** The node that holds a key now; empty if its store is not configured or no node serves it. */
  public Optional<StoreNode> nodeOf(StoreKey key) {
    StoreClient store = stores.get(key.store());
    if (store == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(store.nodeOf(key.key()));
    } catch (StoreException slotNotServed) {
      return Optional.empty();
    }
  }

  /** What is told of a key that could not be read. */
  public static Reading unreadable(StoreKey key) {
    return Sighting.unreadable(key);
  }

  private static Look look(Side side, boolean cut) {
    RelationConfig relation = side.relation();
    SideConfig config = relation.sides().get(side.index());
    int limit = relation.stampLimit();
    return switch (config.type()) {
      case STRING -> new StringLook(relation.stamp(), limit);
      case HASH -> new HashLook(config, limit);
      case LIST -> new LogLook(relation.stamp(), false, limit, cut);
      case ZSET -> new LogLook(relation.stamp(), true, limit, cut);
    };
  }

  /** Looks at a key in the way that the store's servers can. */
  private interface Way {
    Look look(boolean cut);
  }

  private CompletableFuture<Reading> read(
      StoreKey key, Way way, StoreNode asked, StorePipeline pipeline) {
    Optional<StoreNode> holder = nodeOf(key);
    if (holder.isEmpty()) {
      return CompletableFuture.completedFuture(unreadable(key));
    }
    StoreNode node = holder.get();
    boolean piped = node == asked && pipeline.runId().isPresent();
    Supplier<Optional<String>> process = piped ? pipeline::runId : node::runId;
    Optional<String> before = process.get();
    Commands first = piped ? pipeline::commands : node::commands;
    return look(first, node::commands, key, way)
        .thenApply(
            seen -> {
              boolean sure = before.isPresent() && before.equals(process.get());
              return seen.at(key, sure ? before.get() : null, clock.millis());
            })
        .exceptionallyCompose(
            failure -> {
              if (!redirected(failure)) {
                return CompletableFuture.failedFuture(failure);
              }
              Commands any = () -> stores.get(key.store()).commands(key.key());
              return look(any, any, key, way).thenApply(seen -> seen.at(key, null, clock.millis()));
            })
        .exceptionally(failure -> unreadable(key));
  }

  /** Commands to one place, such as they are when they are used. */
  private interface Commands extends Supplier<RedisClusterAsyncCommands<byte[], byte[]>> {}

  private CompletableFuture<Sighting> look(Commands first, Commands then, StoreKey key, Way way) {
    Look look = way.look(!uncut.contains(key.store()));
    return again(first, then, key.key().toArray(), look, null, 1)
        .exceptionallyCompose(
            failure -> {
              if (says(failure, "WRONGTYPE")) {
                return CompletableFuture.completedFuture(Sighting.unstamped(null, null, null));
              }
              if (look instanceof LogLook log && log.cut() && noScripts(failure)) {
                uncut.add(key.store());
                return look(then, then, key, way);
              }
              return CompletableFuture.failedFuture(failure);
            });
  }

  /** Looks until the replies fit together, or two looks give the same. */
  private static CompletableFuture<Sighting> again(
      Commands first, Commands then, byte[] key, Look look, Sighting last, int looks) {
    return look.at(first.get(), then.get(), key)
        .thenCompose(
            seen -> {
              if (seen.settled() || (last != null && last.alike(seen))) {
                return CompletableFuture.completedFuture(seen);
              }
              if (looks < LOOKS) {
                return again(then, then, key, look, seen, looks + 1);
              }
              return seen.state() == KeyState.STAMPED
                  ? CompletableFuture.completedFuture(seen)
                  : CompletableFuture.failedFuture(
                      new IllegalStateException("the key kept changing while it was read"));
            });
  }

  /** True if the server knows no read-only scripts, or the user may not run them. */
  private static boolean noScripts(Throwable failure) {
    return says(failure, "ERR unknown command") || says(failure, "NOPERM");
  }

  private static boolean redirected(Throwable failure) {
    return says(failure, "MOVED ") || says(failure, "ASK ");
  }

  private static boolean says(Throwable failure, String start) {
    Throwable at = failure instanceof CompletionException ? failure.getCause() : failure;
    return at instanceof RedisCommandExecutionException
        && at.getMessage() != null
        && at.getMessage().startsWith(start);
  }
}
