package dev.restitch.writer;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Lets one report of an instance pass each interval. Remembers a bounded number of instances, those
 * reported last; one that was pushed out may be reported early. Thread-safe.
 */
final class ReportPace {

  private final int capacity;

  /** When each instance was last let pass, in the order of that. */
  private final Map<String, Long> passedAtNanos = new LinkedHashMap<>();

  ReportPace(int capacity) {
    this.capacity = capacity;
  }

  /** True, and noted, if nothing of the instance passed within the interval. */
  synchronized boolean pass(String instance, long nowNanos, long intervalNanos) {
    Long last = passedAtNanos.get(instance);
    if (last != null && nowNanos - last < intervalNanos) {
      return false;
    }
    passedAtNanos.remove(instance);
    if (passedAtNanos.size() >= capacity) {
      passedAtNanos.remove(passedAtNanos.keySet().iterator().next());
    }
    passedAtNanos.put(instance, nowNanos);
    return true;
  }
}
