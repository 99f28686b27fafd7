package dev.restitch.worker.guard;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers the highest attempt of each incident, so that an older command is refused. Forgets the
 * incidents that were asked for longest ago; compare-and-set makes a forgotten attempt harmless.
 * Thread-safe.
 */
public final class AttemptFence {

  private final Map<String, Integer> highest;

  /**
   * Knows nothing yet.
   *
   * @param capacity incidents remembered
   */
  public AttemptFence(int capacity) {
    this.highest =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
            return size() > capacity;
          }
        };
  }

  /** Takes note of an attempt; false if a higher one was seen before. */
  public synchronized boolean admit(String incident, int attempt) {
    return highest.merge(incident, attempt, Math::max) == attempt;
  }
}
