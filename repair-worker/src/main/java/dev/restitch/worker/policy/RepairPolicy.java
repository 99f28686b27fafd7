package dev.restitch.worker.policy;

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
}
