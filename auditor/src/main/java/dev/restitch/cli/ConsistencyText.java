package dev.restitch.cli;

import dev.restitch.judge.Consistency;
import java.util.Locale;
import java.util.StringJoiner;

/** The consistency measure in one line for people. Stateless. */
final class ConsistencyText {

  private ConsistencyText() {}

  /** Such as {@code user: of 30012, whole within 1s 99.950% (3.3 nines), 15s ...}. */
  static String line(String relation, Consistency measure) {
    StringJoiner text = new StringJoiner(", ");
    for (int i = 0; i < Consistency.LIMITS.size(); i++) {
      text.add(
          String.format(
              Locale.ROOT,
              "%s %.4f%% (%s%.1f nines)",
              Consistency.LIMIT_NAMES.get(i),
              100 * floor(measure.share(i)),
              measure.boundedBySample(i) ? ">= " : "",
              measure.nines(i)));
    }
    return relation + ": of " + measure.sample() + ", whole within " + text;
  }

  /** Cut, not rounded: what is not whole may not look whole. */
  private static double floor(double share) {
    return Math.floor(share * 1e6) / 1e6;
  }
}
