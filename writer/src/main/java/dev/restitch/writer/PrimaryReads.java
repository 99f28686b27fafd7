package dev.restitch.writer;

import dev.restitch.model.StoreKey;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreException;
import dev.restitch.store.StoreNode;
import dev.restitch.writer.io.Stages;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Sends side reads to the primaries that hold the keys. Thread-safe; never blocks. */
final class PrimaryReads {

  private final Map<String, StoreClient> stores;

  PrimaryReads(Map<String, StoreClient> stores) {
    this.stores = Map.copyOf(stores);
  }

  /**
   * Reads a side; never fails, but says that it could not be read.
   *
   * @throws IllegalArgumentException if its store is not open
   */
  CompletionStage<SideRead> read(SideFetch fetch) {
    StoreClient store = stores.get(fetch.key().store());
    if (store == null) {
      throw new IllegalArgumentException("store '" + fetch.key().store() + "' is not open");
    }
    CompletionStage<SideRead> read =
        nodeOf(store, fetch.key())
            .map(node -> onNode(fetch, store, node))
            .orElseGet(() -> fetch.at(store.commands(fetch.key().key())));
    return read.exceptionally(failure -> fetch.unreadable(words(Stages.cause(failure))));
  }

  private static Optional<StoreNode> nodeOf(StoreClient store, StoreKey key) {
    try {
      return Optional.of(store.nodeOf(key.key()));
    } catch (StoreException slotNotServed) {
      return Optional.empty();
    }
  }

  private static CompletionStage<SideRead> onNode(
      SideFetch fetch, StoreClient store, StoreNode node) {
    Optional<String> before = node.runId();
    return fetch
        .at(node.commands())
        .thenApply(
            read ->
                before.isPresent() && before.equals(node.runId()) ? from(read, before.get()) : read)
        .exceptionallyCompose(
            failure ->
                redirected(Stages.cause(failure))
                    ? fetch.at(store.commands(fetch.key().key()))
                    : CompletableFuture.failedStage(failure));
  }

  private static SideRead from(SideRead r, String primary) {
    return new SideRead(r.side(), r.key(), r.state(), r.stamp(), r.value(), r.problem(), primary);
  }

  private static boolean redirected(Throwable failure) {
    return failure instanceof RedisCommandExecutionException
        && failure.getMessage() != null
        && (failure.getMessage().startsWith("MOVED ") || failure.getMessage().startsWith("ASK "));
  }

  private static String words(Throwable failure) {
    return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
  }
}
