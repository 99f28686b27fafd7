package dev.restitch.worker.guard;

import java.util.function.LongSupplier;

/**
 * Hands out turns at a steady rate, with a burst of a twentieth of a second's turns at most, at
 * least one (the virtual scheduling algorithm of ATM Forum TM 4.0: a turn is due one interval after
 * the last). Not thread-safe; never blocks.
 */
final class Pace {

  private static final double BURST_SECONDS = 0.05;
  private static final double NANOS_A_SECOND = 1e9;

  private final LongSupplier nanoClock;
  private final long startNanos;
  private double intervalNanos;
  private double toleranceNanos;
  private double nextNanos;

  /**
   * @param perSecond turns a second, greater than zero
   * @param nanoClock as {@link System#nanoTime}
   */
  Pace(double perSecond, LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.startNanos = nanoClock.getAsLong();
    this.intervalNanos = NANOS_A_SECOND / perSecond;
    this.toleranceNanos = tolerance();
  }

  private double tolerance() {
    return Math.max(0, BURST_SECONDS * NANOS_A_SECOND - intervalNanos);
  }

  /** Changes the rate of all turns that have not been taken. */
  void change(double perSecond) {
    double now = now();
    double interval = NANOS_A_SECOND / perSecond;
    if (nextNanos > now) { // what is still to wait changes with the interval; at most one of it
      nextNanos = now + Math.min(interval, (nextNanos - now) * interval / intervalNanos);
    }
    intervalNanos = interval;
    toleranceNanos = tolerance();
  }

  /** How long until the next turn may be taken, in nanoseconds; zero: now. */
  long waitNanos() {
    return (long) Math.max(0, Math.ceil(nextNanos - toleranceNanos - now()));
  }

  /** Takes the next turn, whether or not it has come. */
  void take() {
    nextNanos = Math.max(nextNanos, now()) + intervalNanos;
  }

  private double now() {
    return nanoClock.getAsLong() - startNanos;
  }
}
