package dev.restitch.model;

import java.util.Objects;

/** One key of one named store. */
public record StoreKey(String store, Bytes key) implements Comparable<StoreKey> {

  public StoreKey {
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(key, "key");
  }

  @Override
  public int compareTo(StoreKey other) {
    int byStore = store.compareTo(other.store);
    return byStore != 0 ? byStore : key.compareTo(other.key);
  }

  @Override
  public String toString() {
    return store + "/" + key;
  }
}
