package dev.restitch.config;

import java.time.Duration;

/**
 * How hard sweeps may work.
 *
 * @param rate keys a second and store that the background sweep scans; 0: there is none, only gaps
 *     are swept
 * @param gapRate keys a second and store that the sweep of a gap scans
 * @param every least time from the beginning of a node's background sweep to that of the next
 * @param latency a node's p99 of {@code PING} that is always accepted; above it, and above three
 *     times the node's own, the sweep pauses
 * @param memory share of a node's {@code maxmemory}; above it, and while it grows, the sweep pauses
 * @param pauseLimit longest pause; after it a page is scanned before the next pause
 */
public record SweepConfig(
    int rate, int gapRate, Duration every, Duration latency, double memory, Duration pauseLimit) {

  /** What holds where nothing is configured. */
  public static final SweepConfig DEFAULT =
      new SweepConfig(
          2_000,
          20_000,
          Duration.ofMinutes(1),
          Duration.ofMillis(10),
          0.95,
          Duration.ofSeconds(10));
}
