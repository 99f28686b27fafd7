package dev.restitch.worker.apply;

import dev.restitch.model.StoreKey;
import dev.restitch.store.StoreClient;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The stores as the worker may use them: no command is sent to one whose version fence has not let
 * it pass. Thread-safe; never blocks.
 */
public final class Servers {

  private final Map<String, StoreClient> clients;
  private final VersionFence fence;

  /**
   * @param clients every store, by name; stay their owner's
   */
  public Servers(Map<String, StoreClient> clients) {
    this.clients = Map.copyOf(clients);
    this.fence = new VersionFence(this.clients.values());
  }

  /** The stores that a newer version has claimed, and what stands there; empty: none. */
  public Map<String, String> refused() {
    return fence.refused();
  }

  Map<String, StoreClient> clients() {
    return clients;
  }

  /**
   * Sends commands to the primary that holds a key.
   *
   * @return fails with {@link StoreFencedException} where a newer version has claimed the store,
   *     else as the commands do
   */
  <T> CompletionStage<T> on(
      StoreKey key,
      Function<RedisClusterAsyncCommands<byte[], byte[]>, CompletionStage<T>> commands) {
    return verified(key).thenCompose(store -> commands.apply(store.commands(key.key())));
  }

  /** Completes with the store of a key once its fence has let us pass. */
  CompletionStage<StoreClient> verified(StoreKey key) {
    StoreClient store = clients.get(key.store());
    if (store == null) {
      throw new IllegalArgumentException("store '" + key.store() + "' is not configured");
    }
    return fence.verified(store, key.key()).thenApply(passed -> store);
  }
}
