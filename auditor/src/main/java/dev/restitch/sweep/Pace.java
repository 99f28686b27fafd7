package dev.restitch.sweep;

/** Keeps to a rate: what was done is paid for by waiting afterwards. Not thread-safe. */
final class Pace {

  private static final double NANOS = 1e9;

  private double freeAtNanos;
  private boolean begun;

  /** Notes that so many keys were scanned. */
  void spent(int keys, double perSecond, long nowNanos) {
    double from = begun ? Math.max(freeAtNanos, nowNanos) : nowNanos;
    begun = true;
    freeAtNanos = from + keys * NANOS / perSecond;
  }

  /** How long to wait before the next key; 0: not at all. */
  long waitNanos(long nowNanos) {
    return begun ? (long) Math.max(0, freeAtNanos - nowNanos) : 0;
  }
}
