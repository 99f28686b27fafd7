package dev.restitch.doctor;

import dev.restitch.doctor.NodeFacts.ClockReading;
import java.time.Duration;

/** How far clocks may differ from this machine's. Pure. */
final class ClockRules {

  private static final String CHECK = "clock";

  private ClockRules() {}

  /** A store's clock. */
  static Finding store(NodeFacts f) {
    Duration tolerance = f.needs().tolerance();
    if (f.clock() == null) {
      return Finding.ok(CHECK, f.where(), "the server does not tell its time to this user");
    }
    return within(f.clock(), tolerance)
        ? Finding.ok(CHECK, f.where(), words(f.clock()))
        : Finding.warning(
            CHECK,
            f.where(),
            words(f.clock())
                + ", more than "
                + tolerance.toMillis()
                + " ms: after a failover keys expire early or late, and versions that writers take"
                + " from this server's time are out of order",
            mend(f.address().host()));
  }

  /**
   * The brokers' clock.
   *
   * @param tolerance the smallest {@code ttl-tolerance} of the relations
   */
  static Finding kafka(String where, ClockReading clock, Duration tolerance) {
    return within(clock, tolerance)
        ? Finding.ok(CHECK, where, words(clock))
        : Finding.error(
            CHECK,
            where,
            words(clock)
                + ", more than the smallest ttl-tolerance, "
                + tolerance.toMillis()
                + " ms: the judge goes by the brokers' append time, and would take sides for"
                + " expired that live, or the reverse",
            mend("each broker and on this machine"));
  }

  private static boolean within(ClockReading clock, Duration tolerance) {
    return clock.atLeastMillis() <= tolerance.toMillis();
  }

  private static String words(ClockReading clock) {
    long off = Math.abs(clock.offsetMillis());
    return off
        + " ms "
        + (clock.offsetMillis() < 0 ? "behind" : "ahead of")
        + " this machine, ±"
        + clock.uncertaintyMillis()
        + " ms";
  }

  private static String mend(String host) {
    return "timedatectl set-ntp true   # on " + host;
  }
}
