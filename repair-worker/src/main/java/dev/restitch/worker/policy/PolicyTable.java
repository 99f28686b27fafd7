package dev.restitch.worker.policy;

import dev.restitch.avro.Policy;
import dev.restitch.model.Verdict;
import java.util.EnumSet;
import java.util.Set;

/**
 * Which verdicts allow which policies. The judge chooses by the same table; the worker asks once
 * more, since commands also come from people.
 */
public final class PolicyTable {

  private static final Set<Verdict> ACCEPT_NEWEST =
      EnumSet.of(Verdict.COMMITTED_TORN, Verdict.TORN_OVERWRITTEN, Verdict.TORN_MISSING);

  private static final Set<Verdict> ROLL_FORWARD =
      EnumSet.of(
          Verdict.TORN_CROSSED,
          Verdict.COMMITTED_TORN,
          Verdict.TORN_OVERWRITTEN,
          Verdict.UNCOMMITTED,
          Verdict.TORN_MISSING,
          Verdict.LOG_HOLE);

  private static final Set<Verdict> SOURCE_OF_TRUTH =
      EnumSet.range(Verdict.COLLISION, Verdict.DIVERGED);

  private PolicyTable() {}

  /** True if a policy may mend what the verdict says. */
  public static boolean allows(Policy policy, Verdict verdict) {
    return switch (policy) {
      case ACCEPT_NEWEST -> ACCEPT_NEWEST.contains(verdict);
      case ROLL_FORWARD -> ROLL_FORWARD.contains(verdict);
      case SOURCE_OF_TRUTH -> SOURCE_OF_TRUTH.contains(verdict);
      case MARK -> verdict.aboutMarker();
      case REPORT, UNKNOWN -> false;
    };
  }

  /** True if the policy is allowed only where the relation names the verdict for it. */
  static boolean onlyByChoice(Policy policy, Verdict verdict) {
    return policy == Policy.SOURCE_OF_TRUTH
        && (verdict == Verdict.FOREIGN_WRITE || verdict.sideGone());
  }
}
