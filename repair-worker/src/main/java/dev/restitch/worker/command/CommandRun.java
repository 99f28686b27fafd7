package dev.restitch.worker.command;

import dev.restitch.avro.Outcome;
import dev.restitch.avro.Policy;
import dev.restitch.avro.RepairCommand;
import dev.restitch.config.Relations;
import dev.restitch.worker.apply.StoreFencedException;
import dev.restitch.worker.guard.AttemptFence;
import dev.restitch.worker.guard.RatePermits;
import dev.restitch.worker.policy.InvalidCommandException;
import dev.restitch.worker.policy.Repair;
import dev.restitch.worker.policy.RepairOrder;
import dev.restitch.worker.policy.RepairPolicy;
import dev.restitch.worker.policy.RepairStopped;
import dev.restitch.worker.truth.TruthUnavailableException;
import dev.restitch.writer.io.Stages;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Decides what becomes of one command: refused, or carried out by its policy once its turn has
 * come, again after errors that pass. Never fails, but says {@code FAILED}. Thread-safe; never
 * blocks.
 */
final class CommandRun {

  /** How long a second look may be tried, where the command's own time is shorter. */
  private static final Duration SECOND_LOOK = Duration.ofMinutes(5);

  private final Relations relations;
  private final Map<Policy, RepairPolicy> policies;
  private final AttemptFence attempts;
  private final RatePermits permits;
  private final Retry retry;
  private final OutcomeCounts counts;
  private final Clock clock;

  CommandRun(
      Relations relations,
      Map<Policy, RepairPolicy> policies,
      AttemptFence attempts,
      RatePermits permits,
      Retry retry,
      OutcomeCounts counts,
      Clock clock) {
    this.relations = relations;
    this.policies = Map.copyOf(policies);
    this.attempts = attempts;
    this.permits = permits;
    this.retry = retry;
    this.counts = counts;
    this.clock = clock;
  }

  /** Carries out a command. */
  CompletionStage<Repair> run(RepairCommand command) {
    return Stages.compose(command, this::decide).exceptionally(this::inWords);
  }

  /** Takes a second look at a repair. */
  CompletionStage<Repair> secondLook(RepairCommand command, Repair.FollowUp followUp) {
    counts.onSecondLook();
    long until = Math.max(command.getNotAfterMillis(), clock.millis() + SECOND_LOOK.toMillis());
    return retry
        .until(until, Faults::passing, this::countRetry, followUp.look())
        .exceptionally(
            failure -> {
              Throwable cause = Stages.cause(failure);
              return cause instanceof Retry.GaveUpException gaveUp
                  ? Repair.none(
                      Outcome.FAILED,
                      "the truth could not be read again after the rewrite: "
                          + Faults.inWords(gaveUp.getCause()))
                  : inWords(cause);
            });
  }

  private CompletionStage<Repair> decide(RepairCommand command) {
    requireInTime(command, "");
    RepairOrder order = RepairOrder.of(command, relations);
    RepairPolicy policy = policies.get(command.getPolicy());
    if (policy == null) {
      throw new InvalidCommandException("no worker carries out " + command.getPolicy());
    }
    if (!attempts.admit(command.getIncident(), command.getAttempt())) {
      throw new RepairStopped(Outcome.REFUSED, "a later attempt of this incident was seen before");
    }
    return permits
        .acquire(order.relation(), order.stores())
        .thenCompose(
            turn -> {
              requireInTime(command, " while it waited for its turn");
              return retry.until(
                  command.getNotAfterMillis(),
                  Faults::passing,
                  this::countRetry,
                  () -> policy.mend(order));
            });
  }

  private void requireInTime(RepairCommand command, String when) {
    if (clock.millis() > command.getNotAfterMillis()) {
      throw new RepairStopped(Outcome.REFUSED, "the command's not-after has passed" + when);
    }
  }

  private void countRetry(Throwable failure) {
    counts.onRetry(failure instanceof TruthUnavailableException);
  }

  private Repair inWords(Throwable failure) {
    Throwable cause = Stages.cause(failure);
    if (cause instanceof RepairStopped stopped) {
      return Repair.none(stopped.outcome(), stopped.getMessage());
    }
    if (cause instanceof StoreFencedException fenced) {
      return Repair.none(Outcome.REFUSED, fenced.getMessage());
    }
    if (cause instanceof Retry.GaveUpException gaveUp) {
      return Repair.none(
          Outcome.REFUSED, "not done before its not-after: " + Faults.inWords(gaveUp.getCause()));
    }
    return Repair.none(Outcome.FAILED, Faults.inWords(cause));
  }
}
