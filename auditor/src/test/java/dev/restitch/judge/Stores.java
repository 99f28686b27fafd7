package dev.restitch.judge;

import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The stores of a simulated {@link World}: what every key carries and carried, primaries that fail
 * over and lose what was not replicated, shards that do not answer for a while.
 */
final class Stores {

  /** What a key carries; stamp and tokens null: a value without a stamp. */
  record Value(Stamp stamp, List<Bytes> tokens, Long expiresAt, Bytes digest) {

    static final Value UNSTAMPED = new Value(null, null, null, null);

    boolean stamped() {
      return stamp != null || tokens != null;
    }

    boolean shows(Stamp wanted) {
      return wanted.equals(stamp) || (tokens != null && tokens.contains(wanted.token()));
    }
  }

  private static final Value GONE = new Value(null, null, null, null);

  private final Map<StoreKey, TreeMap<Long, Value>> past = new TreeMap<>();
  private final Map<String, Integer> failovers = new HashMap<>();
  private final Map<String, Long> silentFrom = new HashMap<>();
  private final Map<String, Long> silentUntil = new HashMap<>();

  void put(StoreKey key, Value value, long at) {
    past.computeIfAbsent(key, k -> new TreeMap<>()).put(at, value);
  }

  void remove(StoreKey key, long at) {
    put(key, GONE, at);
  }

  /** What a key carried at a time; null: absent. */
  Value get(StoreKey key, long at) {
    TreeMap<Long, Value> history = past.get(key);
    Map.Entry<Long, Value> entry = history == null ? null : history.floorEntry(at);
    if (entry == null || entry.getValue() == GONE) {
      return null;
    }
    Value v = entry.getValue();
    return v.expiresAt() != null && v.expiresAt() <= at ? null : v;
  }

  /** When the key last changed, other than by passing its expiry. */
  long changedAt(StoreKey key, long at) {
    TreeMap<Long, Value> history = past.get(key);
    Long time = history == null ? null : history.floorKey(at);
    return time == null ? -1 : time;
  }

  void append(StoreKey key, Bytes token, long at) {
    Value before = get(key, at);
    List<Bytes> tokens =
        new ArrayList<>(before == null || before.tokens() == null ? List.of() : before.tokens());
    tokens.add(token);
    put(key, new Value(null, List.copyOf(tokens), null, null), at);
  }

  /** A replica takes over that had not got what was written since {@code back}. */
  List<StoreKey> failOver(String store, long back, long at) {
    List<StoreKey> changed = new ArrayList<>();
    for (StoreKey key : List.copyOf(past.keySet())) {
      if (!key.store().equals(store)) {
        continue;
      }
      Value now = get(key, at);
      Map.Entry<Long, Value> then = past.get(key).floorEntry(back);
      Value old = then == null || then.getValue() == GONE ? null : then.getValue();
      if (now != old) {
        changed.add(key);
        put(key, old == null ? GONE : old, at);
      }
    }
    failovers.merge(store, 1, Integer::sum);
    return changed;
  }

  String primary(String store) {
    return store + "-" + failovers.getOrDefault(store, 0);
  }

  void silence(String store, long from, long until) {
    silentFrom.put(store, from);
    silentUntil.put(store, until);
  }

  boolean readable(String store, long at) {
    return at < silentFrom.getOrDefault(store, Long.MAX_VALUE)
        || at >= silentUntil.getOrDefault(store, -1L);
  }
}
