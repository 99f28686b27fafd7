package dev.restitch.sandbox.eyes;

import java.time.Duration;
import java.util.List;

/**
 * What a run does.
 *
 * @param faults in this order
 * @param rate logical writes a second
 * @param tearShare share of the writes that is torn on purpose, from 0 to 1
 * @param before load before the fault strikes, and again after it
 * @param seed of all that is random
 */
record Plan(List<Fault> faults, int rate, double tearShare, Duration before, long seed) {

  /** The settle time of the relation that is written to. */
  static final Duration SETTLE = Duration.ofMillis(1_000);
}
