package dev.restitch.sandbox.simulation;

import java.util.SplittableRandom;

/**
 * What one schedule is made of, drawn from its seed.
 *
 * @param relation which one
 * @param transactions by clients
 * @param workers at the same time
 * @param mishaps processes killed or standing still, partitions moved, notifications lost
 * @param faults how probable it is that a command or its answer is lost
 * @param failover true: primaries may fail over, and lose their last writes
 * @param begun true: the instance stands before the first transaction
 */
record Plan(
    String relation,
    int transactions,
    int workers,
    int mishaps,
    double faults,
    boolean begun,
    boolean failover) {

  static Plan of(SplittableRandom random) {
    String[] relations = {"user", "user", "conf", "conf", "pair", "when", "pay"};
    return new Plan(
        relations[random.nextInt(relations.length)],
        2 + random.nextInt(4),
        1 + random.nextInt(2),
        random.nextInt(5),
        random.nextInt(3) == 0 ? 0.05 : 0,
        random.nextInt(4) > 0,
        random.nextInt(4) == 0);
  }
}
