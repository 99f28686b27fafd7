package dev.restitch.read;

import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The last step of a chain of stages. Nobody waits for it, so what it throws is logged here. */
public final class LastStep {

  private static final Logger LOG = LoggerFactory.getLogger(LastStep.class);

  private LastStep() {}

  /** Runs the step with the stage's value or failure, as {@code whenComplete} does. */
  public static <T> void of(CompletionStage<T> stage, BiConsumer<? super T, Throwable> step) {
    stage.whenComplete(
        (value, failure) -> {
          try {
            step.accept(value, failure);
          } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("a step after an asynchronous call failed");
          }
        });
  }
}
