package dev.restitch.worker.guard;

import dev.restitch.config.RelationConfig;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** Lets repairs go on when their turn has come. Thread-safe; never blocks. */
public final class RatePermits {

  private final StoreRates rates;
  private final Function<Duration, Executor> after;

  /**
   * @param after an executor that runs tasks after a delay
   */
  public RatePermits(StoreRates rates, Function<Duration, Executor> after) {
    this.rates = rates;
    this.after = after;
  }

  /** Completes when a repair may be written to all these stores. */
  public CompletionStage<Void> acquire(RelationConfig relation, Collection<String> stores) {
    Duration wait = rates.take(relation, stores);
    return wait.isZero()
        ? CompletableFuture.completedStage(null)
        : CompletableFuture.runAsync(() -> {}, after.apply(wait));
  }
}
