package dev.restitch.sweep;

import java.util.Arrays;

/**
 * How long a server takes to answer, beside how long it usually takes. Times in nanoseconds. Not
 * thread-safe.
 */
final class Latency {

  /** Answers that the p99 is of: all but the slowest one. */
  static final int WINDOW = 100;

  /** Answers without which nothing is said. */
  static final int LEAST = 20;

  /** So many times the usual p99 is too much. */
  static final int FACTOR = 3;

  private final long acceptedNanos;
  private final long[] window = new long[WINDOW];
  private int samples;
  private long usualNanos = -1;

  /**
   * Nothing is known yet.
   *
   * @param acceptedNanos a p99 that is always accepted
   */
  Latency(long acceptedNanos) {
    this.acceptedNanos = acceptedNanos;
  }

  /** Takes what was measured while no sweep ran for usual; slowly, if it is more than before. */
  void usual(long p99Nanos) {
    usualNanos = usualNanos < 0 ? p99Nanos : Math.min(p99Nanos, 2 * usualNanos);
  }

  void answered(long nanos) {
    window[samples++ % WINDOW] = nanos;
  }

  /** Forgets the answers, not what is usual. */
  void forget() {
    samples = 0;
  }

  /** True once there are answers enough to go by. */
  boolean known() {
    return samples >= LEAST;
  }

  /** The present p99; 0 without an answer. */
  long p99Nanos() {
    return p99(Arrays.copyOf(window, Math.min(samples, WINDOW)));
  }

  /** The p99 of some answers; 0 of none. */
  static long p99(long[] nanos) {
    if (nanos.length == 0) {
      return 0;
    }
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.ceil(sorted.length * 0.99) - 1];
  }

  /** A p99 above this is too much. */
  long limitNanos() {
    return Math.max(acceptedNanos, FACTOR * Math.max(0, usualNanos));
  }

  boolean tooMuch() {
    return known() && p99Nanos() > limitNanos();
  }
}
