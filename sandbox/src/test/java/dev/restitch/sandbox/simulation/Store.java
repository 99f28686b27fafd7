package dev.restitch.sandbox.simulation;

import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** One primary: keys, counters, and who wants to know of changes. Each method is one command. */
final class Store {

  /** Told of every change, at once. */
  interface Changes {

    /**
     * @param before null: the key was absent
     * @param after null: the key is gone
     */
    void changed(StoreKey key, Value before, Value after, Author by, String event);
  }

  final String name;
  private final Scheduler scheduler;
  private final Changes changes;
  private final Map<StoreKey, Value> values = new LinkedHashMap<>();
  private final Map<StoreKey, Long> counters = new HashMap<>();
  private final Deque<Undo> undo = new ArrayDeque<>();
  private int process = 1;

  Store(String name, Scheduler scheduler, Changes changes) {
    this.name = name;
    this.scheduler = scheduler;
    this.changes = changes;
  }

  /** Undoes one change, as if it had never been. */
  private record Undo(Runnable change) {}

  /**
   * Another process takes over, which has not got the last writes, counts among them.
   *
   * @param lost how many changes at most
   */
  void failOver(int lost) {
    for (int i = 0; i < lost && !undo.isEmpty(); i++) {
      undo.removeLast().change().run();
    }
    undo.clear(); // what it has now it keeps
    process++;
  }

  String runId() {
    return name + "-" + process;
  }

  /** Null: there is no such key. */
  Value get(StoreKey key) {
    return values.get(key);
  }

  void put(StoreKey key, Value value) {
    Value before = values.put(key, value);
    undone(key, before);
    changes.changed(key, before, value, value.by(), "set");
  }

  /** False if there was no such key. */
  boolean remove(StoreKey key, Author by) {
    Value before = values.remove(key);
    undone(key, before);
    if (before != null) {
      changes.changed(key, before, null, by, "del");
    }
    return before != null;
  }

  private void undone(StoreKey key, Value before) {
    undo.add(
        new Undo(
            () -> {
              if (before == null) {
                values.remove(key);
              } else {
                values.put(key, before);
              }
            }));
  }

  /** Writes a marker where none stands; false if one does. */
  boolean mark(StoreKey marker, Author by) {
    boolean none = !values.containsKey(marker);
    if (none) {
      put(marker, new Value(null, Bytes.utf8("1"), scheduler.now() + 3_600_000, by));
    }
    return none;
  }

  long counter(StoreKey key) {
    return counters.getOrDefault(key, 0L);
  }

  /** Counts on, to above a floor. */
  long next(StoreKey key, long floor) {
    long next = Math.max(counter(key), floor) + 1;
    long before = counter(key);
    counters.put(key, next);
    undo.add(new Undo(() -> counters.put(key, before)));
    return next;
  }

  /** Time to live that is left, as {@code PTTL} says it. */
  long ttl(StoreKey key) {
    Value value = get(key);
    if (value == null) {
      return -2;
    }
    return value.expiresAt() < 0 ? -1 : value.expiresAt() - scheduler.now();
  }
}
