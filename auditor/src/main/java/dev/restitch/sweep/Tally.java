package dev.restitch.sweep;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts scanned keys and what became of them, for a sweep and for all sweeps. Thread-safe. */
final class Tally {

  private final Tally all;
  private final AtomicLong scanned = new AtomicLong();
  private final AtomicLongArray fates = new AtomicLongArray(Fate.values().length);

  Tally() {
    this(null);
  }

  /** Counts here, and there too. */
  Tally(Tally all) {
    this.all = all;
  }

  void scanned(int keys) {
    scanned.addAndGet(keys);
    if (all != null) {
      all.scanned(keys);
    }
  }

  void count(Fate fate) {
    count(fate, 1);
  }

  void count(Fate fate, long keys) {
    fates.addAndGet(fate.ordinal(), keys);
    if (all != null) {
      all.count(fate, keys);
    }
  }

  SweepCounters counters() {
    long[] now = new long[fates.length()];
    // read before what was scanned, so that what is pending is never negative
    for (int i = 0; i < now.length; i++) {
      now[i] = fates.get(i);
    }
    return new SweepCounters(scanned.get(), now);
  }
}
