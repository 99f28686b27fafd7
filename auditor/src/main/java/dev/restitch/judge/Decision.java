package dev.restitch.judge;

import dev.restitch.config.RepairPolicyConfig.Policy;
import dev.restitch.model.StoreKey;
import dev.restitch.model.Verdict;
import dev.restitch.stamp.Stamp;
import java.util.List;

/** What the judge wants done. */
public sealed interface Decision {

  /** Read these keys twice. */
  record Ask(
      String instance,
      long seq,
      long askedAt,
      int attempt,
      List<StoreKey> keys,
      List<StoreKey> markers,
      String reason)
      implements Decision {}

  /** An incident was declared, changed or closed; a copy. */
  record IncidentChanged(String instance, Incident incident) implements Decision {}

  /** Mend this. */
  record Repair(
      String id,
      String incident,
      String instance,
      Verdict verdict,
      Policy policy,
      int generation,
      int attempt,
      Stamp stamp,
      Long highestVersion,
      List<Reading> expected,
      List<StoreKey> behind,
      Long markerTtlMillis,
      int intentPartition,
      long intentOffset,
      long issuedAt,
      long notAfter)
      implements Decision {}

  /** Something to count. */
  record Counted(Counter counter) implements Decision {}

  /**
   * A transaction ended healthy.
   *
   * @param lagMillis from the first evidence of its effect to the last side covered; -1 where it is
   *     no part of the consistency measure: it never took effect, or was counted as not whole
   */
  record Settled(Verdict verdict, long lagMillis) implements Decision {}

  /** An effective transaction was not whole within the longest limit of {@link Consistency}. */
  record NotWhole() implements Decision {}

  /** What is counted apart from verdicts. */
  enum Counter {
    VERSION_REGRESSION,
    SMALLER_INTENT,
    INTENTS_DISAGREE,
    FOREIGN_KEY,
    PROBE_UNANSWERED,
    SNAPSHOT_UNASKED,
    SNAPSHOT_REFUSED,
    SNAPSHOT_UNSTABLE,
    STALE_OUTCOME,
    UNDECIDED,
    VERDICT_NOT_DECLARED,
    TRANSACTIONS_OVER_LIMIT
  }
}
