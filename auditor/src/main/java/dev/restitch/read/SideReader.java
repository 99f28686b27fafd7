package dev.restitch.read;

import dev.restitch.avro.KeyState;
import dev.restitch.avro.Reading;
import dev.restitch.config.RelationConfig;
import dev.restitch.config.Relations.Side;
import dev.restitch.config.SideConfig;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreException;
import dev.restitch.store.StoreNode;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Reads sides and markers on the primaries that hold them. Never blocks, and its futures never
 * fail: what cannot be read is {@code UNREADABLE}. Futures complete on a connection's thread, which
 * must not be blocked. Thread-safe.
 */
public final class SideReader {

  private static final int LOOKS = 4;

  private final Map<String, StoreClient> stores;
  private final Clock clock;

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
    return read(side.key(), look(side));
  }

  /** Reads a marker: {@code PRESENT}, with its end of life, or {@code ABSENT}. */
  public CompletableFuture<Reading> readMarker(StoreKey marker) {
    return read(
        marker,
        (commands, key) ->
            commands
                .pttl(key)
                .toCompletableFuture()
                .thenApply(
                    pttl ->
                        pttl == Look.NO_KEY
                            ? Sighting.absent()
                            : Sighting.present(Look.timeLeft(pttl))));
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

  private static Look look(Side side) {
    RelationConfig relation = side.relation();
    SideConfig config = relation.sides().get(side.index());
    return switch (config.type()) {
      case STRING -> new StringLook(relation.stamp(), relation.stampLimit());
      case HASH -> new HashLook(config, relation.stampLimit());
      case LIST -> new LogLook(relation.stamp(), false);
      case ZSET -> new LogLook(relation.stamp(), true);
    };
  }

  private CompletableFuture<Reading> read(StoreKey key, Look look) {
    Optional<StoreNode> node = nodeOf(key);
    if (node.isEmpty()) {
      return CompletableFuture.completedFuture(unreadable(key));
    }
    Optional<String> before = node.get().runId();
    return look(node.get().commands(), key.key(), look)
        .thenApply(
            seen -> {
              boolean sure = before.isPresent() && before.equals(node.get().runId());
              return seen.at(key, sure ? before.get() : null, clock.millis());
            })
        .exceptionallyCompose(
            failure ->
                redirected(failure)
                    ? look(stores.get(key.store()).commands(key.key()), key.key(), look)
                        .thenApply(seen -> seen.at(key, null, clock.millis()))
                    : CompletableFuture.failedFuture(failure))
        .exceptionally(failure -> unreadable(key));
  }

  private static CompletableFuture<Sighting> look(
      RedisClusterAsyncCommands<byte[], byte[]> commands, Bytes key, Look look) {
    return again(commands, key.toArray(), look, null, 1)
        .exceptionallyCompose(
            failure ->
                says(failure, "WRONGTYPE")
                    ? CompletableFuture.completedFuture(Sighting.unstamped(null, null, null))
                    : CompletableFuture.failedFuture(failure));
  }

  /** Looks until the replies fit together, or two looks give the same. */
  private static CompletableFuture<Sighting> again(
      RedisClusterAsyncCommands<byte[], byte[]> commands,
      byte[] key,
      Look look,
      Sighting last,
      int looks) {
    return look.at(commands, key)
        .thenCompose(
            seen -> {
              if (seen.settled() || (last != null && last.alike(seen))) {
                return CompletableFuture.completedFuture(seen);
              }
              if (looks < LOOKS) {
                return again(commands, key, look, seen, looks + 1);
              }
              return seen.state() == KeyState.STAMPED
                  ? CompletableFuture.completedFuture(seen)
                  : CompletableFuture.failedFuture(
                      new IllegalStateException("the key kept changing while it was read"));
            });
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
