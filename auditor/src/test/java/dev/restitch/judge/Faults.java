package dev.restitch.judge;

import java.util.Random;

/**
 * What goes wrong in a {@link World}. Transport faults (lost, late and stale evidence, shards that
 * do not answer) never tear anything; the others may.
 */
record Faults(
    boolean crash,
    boolean lateWrite,
    boolean gap,
    boolean failover,
    boolean silence,
    boolean staleSweep,
    boolean reader,
    boolean outsider,
    boolean retry,
    boolean collision,
    boolean ttl,
    boolean wrongPayload,
    boolean markerLost) {

  static Faults of(Random r, boolean healthy) {
    return new Faults(
        !healthy && r.nextInt(2) == 0,
        !healthy && r.nextInt(2) == 0,
        r.nextInt(4) == 0,
        !healthy && r.nextInt(5) == 0,
        r.nextInt(6) == 0,
        r.nextInt(3) == 0,
        r.nextInt(4) == 0,
        !healthy && r.nextInt(4) == 0,
        !healthy && r.nextInt(5) == 0,
        !healthy && r.nextInt(8) == 0,
        r.nextInt(5) == 0,
        !healthy && r.nextInt(4) == 0,
        !healthy && r.nextInt(2) == 0);
  }
}
