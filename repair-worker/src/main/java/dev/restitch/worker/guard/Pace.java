package dev.restitch.worker.guard;

import java.util.function.LongSupplier;

/**
 * Hands out turns at a steady rate, with a burst of a twentieth of a second's turns at most, at
 * least one (the virtual scheduling algorithm of ATM Forum TM 4.0: a turn is due one interval after
 * the last). Thread-safe; never blocks.
 */
final class Pace {

  private static final double BURST_SECONDS = 0.05;
  private static final double NANOS_A_SECOND = 1e9;

  private final LongSupplier nanoClock;
  private double intervalNanos;
  private double toleranceNanos;
  private double nextNanos;

  /**
   * @param perSecond turns a second, greater than zero
   * @param nanoClock as {@link System#nanoTime}
   */
  Pace(double perSecond, LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.nextNanos = 0;
    this.intervalNanos = NANOS_A_SECOND / perSecond;
    this.toleranceNanos = tolerance(perSecond);
    this.startNanos = nanoClock.getAsLong();
  }

  private final long startNanos;

  private static double tolerance(double perSecond) {
    return Math.max(0, BURST_SECONDS * NANOS_A_SECOND - NANOS_A_SECOND / perSecond);
  }

  /** Changes the rate for turns not yet taken. */
  synchronized void change(double perSecond) {
    intervalNanos = NANOS_A_SECOND / perSecond;
    toleranceNanos = tolerance(perSecond);
  }

  /** Takes the next turn and says how long it is until then, in nanoseconds. */
  synchronized long take() {
    double now = nanoClock.getAsLong() - startNanos;
    double due = Math.max(nextNanos, now);
    nextNanos = due + intervalNanos;
    return (long) Math.max(0, Math.ceil(due - toleranceNanos - now));
  }
}
