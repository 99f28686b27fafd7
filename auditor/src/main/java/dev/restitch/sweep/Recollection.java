package dev.restitch.sweep;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Remembers, in bounded memory, when something was last done with a name. What it forgets is only
 * done once more; it takes one name for another about once in 2⁶⁴. Thread-safe.
 */
final class Recollection {

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

  /** True if the name was noted at or after that reading of {@link System#nanoTime}. */
  synchronized boolean since(long hash, long nanos) {
    int at = slot(hash);
    return names[at] == hash && whenNanos[at] - nanos >= 0;
  }

  /** True if the name is remembered. */
  synchronized boolean knows(long hash) {
    return names[slot(hash)] == hash;
  }

  /** Notes the name. */
  synchronized void note(long hash, long nanos) {
    int at = slot(hash);
    names[at] = hash;
    whenNanos[at] = nanos;
  }

  private int slot(long hash) {
    return (int) hash & (names.length - 1);
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
