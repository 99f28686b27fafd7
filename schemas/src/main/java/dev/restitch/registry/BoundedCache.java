package dev.restitch.registry;

import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * A cache that never grows past its limit: an arbitrary entry makes room for a new one. Reads take
 * no lock. Thread-safe; two threads that miss at once may both load.
 *
 * @param <K> key
 * @param <V> value, never null
 */
public final class BoundedCache<K, V> {

  private final ConcurrentHashMap<K, V> entries = new ConcurrentHashMap<>();
  private final int limit;

  /**
   * @param limit most entries, at least 1
   */
  public BoundedCache(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1, not " + limit);
    }
    this.limit = limit;
  }

  /** The cached value, else the loaded one, which is then cached; what the loader throws passes. */
  public V get(K key, Function<? super K, ? extends V> load) {
    V present = entries.get(key);
    if (present != null) {
      return present;
    }
    V loaded = load.apply(key);
    put(key, loaded);
    return loaded;
  }

  /** The cached value, or null. */
  public V peek(K key) {
    return entries.get(key);
  }

  /** Caches a value. */
  public synchronized void put(K key, V value) {
    if (!entries.containsKey(key) && entries.size() >= limit) {
      Iterator<K> any = entries.keySet().iterator();
      any.next();
      any.remove();
    }
    entries.put(key, value);
  }

  /** How many entries there are now. */
  public int size() {
    return entries.size();
  }
}
