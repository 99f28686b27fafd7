package dev.restitch.watch;

import java.util.TreeMap;

/**
 * Counts what is unsettled by the generation it came in, so that one can tell when everything that
 * came before a cut is settled. Not thread-safe.
 */
final class Generations {

  private final TreeMap<Long, Integer> unsettled = new TreeMap<>();
  private long current;

  /** One more came in. */
  long enter() {
    unsettled.merge(current, 1, Integer::sum);
    return current;
  }

  /** One of that generation is settled. */
  void leave(long generation) {
    unsettled.compute(generation, (g, n) -> n == null || n == 1 ? null : n - 1);
  }

  /** Ends the current generation and starts the next; returns the one that ended. */
  long cut() {
    return current++;
  }

  /** True if nothing of that generation or an earlier one is unsettled. */
  boolean settledThrough(long generation) {
    return unsettled.isEmpty() || unsettled.firstKey() > generation;
  }
}
