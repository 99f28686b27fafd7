package dev.restitch.sweep;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Remembers, in bounded memory, when something was last done with a name. What it forgets is only
 * done once more; it takes one name for another about once in 2⁶⁴. Thread-safe.
 */
final class Recollection {

  /** Slots that a name may be in. */
  private static final int WAYS = 4;

  private static final long PRIME = 0x100000001b3L;

  private final long seed = ThreadLocalRandom.current().nextLong();
  private final long[] names;
  private final long[] whenNanos;

  /**
   * Remembers nothing yet.
   *
   * @param size a power of two: names remembered at most
   */
  Recollection(int size) {
    this.names = new long[size];
    this.whenNanos = new long[size];
  }

  /**
   * Notes the name, unless that was done at or after a moment.
   *
   * @param sinceNanos the moment, by {@link System#nanoTime}
   * @return false if it was
   */
  synchronized boolean claim(long hash, long sinceNanos, long nowNanos) {
    int slot = find(hash);
    if (names[slot] == hash && whenNanos[slot] - sinceNanos >= 0) {
      return false;
    }
    names[slot] = hash;
    whenNanos[slot] = nowNanos;
    return true;
  }

  /** Takes back what was noted. */
  synchronized void forget(long hash) {
    int slot = find(hash);
    if (names[slot] == hash) {
      names[slot] = 0;
    }
  }

  /** Where the name is noted, or is to be: in its few slots the free one, else the oldest. */
  private int find(long hash) {
    int first = (int) hash & (names.length - WAYS);
    int best = first;
    for (int slot = first; slot < first + WAYS; slot++) {
      if (names[slot] == hash) {
        return slot;
      }
      boolean taken = names[best] != 0;
      if (taken && (names[slot] == 0 || whenNanos[slot] - whenNanos[best] < 0)) {
        best = slot;
      }
    }
    return best;
  }

  /** The name as this recollection knows it; never 0. */
  long hash(String name) {
    long hash = seed;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * PRIME;
    }
    hash ^= hash >>> 32;
    hash *= 0x9e3779b97f4a7c15L;
    hash ^= hash >>> 29;
    return hash == 0 ? 1 : hash;
  }
}
