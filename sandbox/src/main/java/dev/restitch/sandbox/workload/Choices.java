package dev.restitch.sandbox.workload;

import java.time.Duration;
import java.util.Random;

/**
 * All that chance decides about one act, drawn beforehand so that it depends on the seed alone.
 *
 * @param fenced write only if newer
 * @param side the side written first, or overwritten late
 * @param pause share of the longest pause that an act may make, from 0 to 1
 * @param first what the first write carries
 * @param second what the second write carries, where there is one
 */
record Choices(boolean fenced, int side, double pause, Payloads first, Payloads second) {

  static Choices draw(Random random) {
    return new Choices(
        random.nextBoolean(),
        random.nextInt(2),
        random.nextDouble(),
        Payloads.draw(random),
        Payloads.draw(random));
  }

  int other() {
    return 1 - side;
  }

  /** A pause between the two, as chance will have it. */
  Duration between(Duration least, Duration most) {
    return least.plusMillis((long) (most.minus(least).toMillis() * pause));
  }
}
