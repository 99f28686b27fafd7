package dev.restitch.store;

import dev.restitch.config.RestitchConfig;
import dev.restitch.config.StoreConfig;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Opens stores. Commands in flight are bounded, refused while disconnected, timed out, and never
 * sent again after a reconnect: a command whose connection broke may or may not have run, and its
 * caller learns of it.
 */
public final class StoreClients {

  private StoreClients() {}

  /**
   * Connects to a store and waits for it.
   *
   * @param clientName shown by {@code CLIENT LIST}; without spaces
   * @throws StoreException if it cannot be reached, or refuses the credentials; one sentence with
   *     store and address
   */
  public static StoreClient open(StoreConfig config, String clientName) {
    return switch (config.kind()) {
      case STANDALONE, SHARDED -> ShardedStoreClient.open(config, clientName);
      case CLUSTER -> ClusterStoreClient.open(config, clientName);
    };
  }

  /**
   * Connects to every store of the configuration, in its order.
   *
   * @return by name; the caller closes them
   * @throws StoreException at the first that cannot be used; what was opened before is closed
   */
  public static Map<String, StoreClient> openAll(RestitchConfig config, String clientName) {
    Map<String, StoreClient> opened = new LinkedHashMap<>();
    try {
      config.stores().forEach((name, store) -> opened.put(name, open(store, clientName)));
      return opened;
    } catch (RuntimeException e) {
      opened.values().forEach(StoreClient::close);
      throw e;
    }
  }
}
