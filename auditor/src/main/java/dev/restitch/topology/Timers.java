package dev.restitch.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which instance wants to be woken when. Kept in memory and made anew from the state store after a
 * restart. A changed time leaves its old entry behind, which is passed over. Not thread-safe.
 */
final class Timers {

  private final Map<String, Long> wakeOf = new HashMap<>();
  private final TreeMap<Long, List<String>> byTime = new TreeMap<>();

  /** Sets or replaces the time of an instance, epoch milliseconds; negative: never. */
  void set(String instance, long at) {
    if (at < 0) {
      wakeOf.remove(instance);
      return;
    }
    Long before = wakeOf.put(instance, at);
    if (before == null || before != at) {
      byTime.computeIfAbsent(at, t -> new ArrayList<>(2)).add(instance);
    }
  }

  /** Takes the instances due until now, earliest first, at most so many. */
  List<String> due(long now, int most) {
    List<String> due = new ArrayList<>();
    while (!byTime.isEmpty() && byTime.firstKey() <= now && due.size() < most) {
      Map.Entry<Long, List<String>> first = byTime.pollFirstEntry();
      for (String instance : first.getValue()) {
        if (first.getKey().equals(wakeOf.get(instance))) {
          wakeOf.remove(instance);
          due.add(instance);
        }
      }
    }
    return due;
  }

  int size() {
    return wakeOf.size();
  }
}
