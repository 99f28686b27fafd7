package dev.restitch.judge;

import dev.restitch.config.RepairPolicyConfig.Policy;
import dev.restitch.model.Verdict;
import java.util.EnumSet;
import java.util.Set;

/** The table of verdicts (MODEL.md, section 4): rules in words, and which repairs each allows. */
public final class Rules {

  private static final Set<Policy> TRUTH = EnumSet.of(Policy.SOURCE_OF_TRUTH);
  private static final Set<Policy> FORWARD_OR_TRUTH =
      EnumSet.of(Policy.ROLL_FORWARD, Policy.SOURCE_OF_TRUTH);
  private static final Set<Policy> ALL_REWRITES =
      EnumSet.of(Policy.ROLL_FORWARD, Policy.ACCEPT_NEWEST, Policy.SOURCE_OF_TRUTH);

  private Rules() {}

  /** The policies that a verdict allows without being named by the policy's {@code on}. */
  public static Set<Policy> allowed(Verdict verdict) {
    return switch (verdict) {
      case COLLISION, TORN_ROLLED_BACK, UNORDERED, DIVERGED -> TRUTH;
      case TORN_CROSSED, UNCOMMITTED, LOG_HOLE -> FORWARD_OR_TRUTH;
      case COMMITTED_TORN, TORN_OVERWRITTEN, TORN_MISSING -> ALL_REWRITES;
      case MARKER_EXPIRED, MARKER_MISSING -> EnumSet.of(Policy.MARK);
      case FOREIGN_WRITE,
          SIDE_EVICTED,
          SIDE_EXPIRED,
          SIDE_DELETED,
          INDETERMINATE,
          UNDECIDED,
          UNCLAIMED,
          NOT_APPLIED,
          SUPERSEDED,
          WHOLE ->
          EnumSet.noneOf(Policy.class);
    };
  }

  /** True if source-of-truth is allowed only where the policy names the verdict. */
  public static boolean truthByChoice(Verdict verdict) {
    return verdict == Verdict.FOREIGN_WRITE || verdict.sideGone();
  }

  /** The rule that decided, in words. */
  public static String inWords(Verdict verdict) {
    return switch (verdict) {
      case INDETERMINATE ->
          "a shard could not be read, or stayed unstable, for longer than patience";
      case COLLISION ->
          "two transactions have one version, or their order is not trusted, and sides of their"
              + " common write set carry different ones";
      case FOREIGN_WRITE -> "a side carries no stamp where a stamp stood, or stands on a sibling";
      case TORN_ROLLED_BACK ->
          "a side went below the transaction after its shard's primary had changed";
      case UNORDERED ->
          "two transactions that nothing orders are each carried on a side that both write";
      case SIDE_EVICTED -> "a side was evicted while a sibling lives";
      case SIDE_EXPIRED -> "a side expired and a sibling outlived it by the TTL tolerance";
      case SIDE_DELETED -> "a side is gone, no transaction deleted it, and a sibling lives";
      case TORN_CROSSED -> "two or more transactions of the instance are torn at once";
      case COMMITTED_TORN -> "the commit marker was seen, and a side is behind";
      case TORN_OVERWRITTEN ->
          "a side that was at the transaction was overwritten by an older write";
      case UNCOMMITTED -> "a side is behind, and there was no commit marker at the deadline";
      case TORN_MISSING -> "the transaction took effect, and a side never got it";
      case LOG_HOLE -> "a token stands in one log and not in another";
      case DIVERGED -> "the stamps are equal, and a payload's digest is not the intent's";
      case MARKER_EXPIRED -> "the commit marker's time passed while a side outlives it";
      case MARKER_MISSING ->
          "all sides are written, and there was no commit marker at the deadline";
      case UNDECIDED -> "the transaction was never seen; some sides are newer and some older";
      case UNCLAIMED -> "a stamp whose intent never came, where intents are required";
      case NOT_APPLIED -> "the transaction was never seen, and every side is older";
      case SUPERSEDED -> "newer transactions stand on every side";
      case WHOLE -> "every side of every transaction is covered";
    };
  }
}
