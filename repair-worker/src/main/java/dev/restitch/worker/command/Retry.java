package dev.restitch.worker.command;

import dev.restitch.writer.io.Stages;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Tries again what fails for a while, with pauses that double from 200 ms to five seconds. */
final class Retry {

  private static final Duration FIRST = Duration.ofMillis(200);
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private final Function<Duration, Executor> after;
  private final Clock clock;
  private final DoubleSupplier random;

  /**
   * @param after an executor that runs tasks after a delay
   * @param random from 0 to 1, so that those who failed together do not try again together
   */
  Retry(Function<Duration, Executor> after, Clock clock, DoubleSupplier random) {
    this.after = after;
    this.clock = clock;
    this.random = random;
  }

  /** The last attempt before the time was up has failed, for this cause. */
  static final class GaveUpException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    GaveUpException(Throwable cause) {
      super(cause);
    }
  }

  /**
   * Tries until an attempt succeeds, or fails for good, or the time is up.
   *
   * @param untilMillis no attempt begins later than this
   * @param passing which failures are worth another attempt
   * @param onFailure told of each failure that is
   * @return fails with {@link GaveUpException} when the time is up, else with what failed for good
   */
  <T> CompletionStage<T> until(
      long untilMillis,
      Predicate<Throwable> passing,
      Consumer<Throwable> onFailure,
      Supplier<? extends CompletionStage<T>> attempt) {
    return attempt(untilMillis, passing, onFailure, attempt, FIRST);
  }

  private <T> CompletionStage<T> attempt(
      long untilMillis,
      Predicate<Throwable> passing,
      Consumer<Throwable> onFailure,
      Supplier<? extends CompletionStage<T>> attempt,
      Duration pause) {
    return Stages.compose(attempt, Supplier::get)
        .handle(
            (result, failure) -> {
              if (failure == null) {
                return CompletableFuture.completedStage(result);
              }
              Throwable cause = Stages.cause(failure);
              if (!passing.test(cause)) {
                return CompletableFuture.<T>failedStage(cause);
              }
              onFailure.accept(cause);
              Duration jittered =
                  Duration.ofMillis((long) (pause.toMillis() * (0.8 + 0.4 * random.getAsDouble())));
              if (clock.millis() + jittered.toMillis() > untilMillis) {
                return CompletableFuture.<T>failedStage(new GaveUpException(cause));
              }
              Duration next = pause.multipliedBy(2);
              return CompletableFuture.runAsync(() -> {}, after.apply(jittered))
                  .thenCompose(
                      again ->
                          attempt(
                              untilMillis,
                              passing,
                              onFailure,
                              attempt,
                              next.compareTo(LONGEST) < 0 ? next : LONGEST));
            })
        .thenCompose(Function.identity());
  }
}
