package dev.restitch.worker.policy;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One way to mend an instance. Thread-safe; never blocks. */
@FunctionalInterface
public interface RepairPolicy {

  /**
   * Mends, by compare-and-set only. May be called again for the same order after any failure.
   *
   * @return fails with {@link RepairStopped} where the outcome is decided without a write, else
   *     with the exception of the store, database or broker that did not answer
   */
  CompletionStage<Repair> mend(RepairOrder order);

  /**
   * What is still owed to a command that is refused now, but was begun before: a look at what it
   * has made to stand. Writes nothing itself.
   *
   * @return empty: nothing of it stands, or nothing is owed; fails as {@link #mend} does
   */
  default CompletionStage<Optional<Repair.FollowUp>> owed(RepairOrder order) {
    return CompletableFuture.completedStage(Optional.empty());
  }
}
