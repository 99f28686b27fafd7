package dev.restitch.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Which instance wants to be woken when: one entry an instance. Kept in memory and made anew from
 * the state store after a restart. Not thread-safe.
 */
final class Timers {

  private record Timer(long at, String instance) {}

  private final Map<String, Timer> timerOf = new HashMap<>();
  private final TreeSet<Timer> timers =
      new TreeSet<>(Comparator.comparingLong(Timer::at).thenComparing(Timer::instance));

  /** Sets or replaces the time of an instance, epoch milliseconds; negative: never. */
  void set(String instance, long at) {
    Timer before = timerOf.get(instance);
    if (before != null && before.at() == at) {
      return;
    }
    if (before != null) {
      timerOf.remove(instance);
      timers.remove(before);
    }
    if (at >= 0) {
      Timer timer = new Timer(at, instance);
      timerOf.put(instance, timer);
      timers.add(timer);
    }
  }

  /** Takes the instances due until now, earliest first, at most so many. */
  List<String> due(long now, int most) {
    List<String> due = new ArrayList<>();
    while (!timers.isEmpty() && timers.first().at() <= now && due.size() < most) {
      Timer first = timers.pollFirst();
      timerOf.remove(first.instance());
      due.add(first.instance());
    }
    return due;
  }

  /** Entries held; never more than there are instances. */
  int size() {
    return timers.size();
  }
}
