package dev.restitch.worker.command;

import dev.restitch.avro.Outcome;
import dev.restitch.avro.Policy;
import dev.restitch.avro.RepairCommand;
import dev.restitch.config.Relations;
import dev.restitch.control.Hold;
import dev.restitch.control.Proposal;
import dev.restitch.worker.apply.StoreFencedException;
import dev.restitch.worker.guard.AttemptFence;
import dev.restitch.worker.guard.Guard;
import dev.restitch.worker.guard.HandedOverException;
import dev.restitch.worker.guard.HeldException;
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
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/**
 * Decides what becomes of one command: refused, or carried out by its policy once its turn has
 * come, again after errors that pass. Fails only with {@link HandedOverException}, else says {@code
 * FAILED}. Thread-safe; never blocks.
 */
final class CommandRun {

  /** How long a second look may be tried, where the command's own time is shorter. */
  private static final Duration SECOND_LOOK = Duration.ofMinutes(5);

  private final Relations relations;
  private final Map<Policy, RepairPolicy> policies;
  private final AttemptFence attempts;
  private final Guard guard;
  private final RatePermits permits;
  private final Retry retry;
  private final OutcomeCounts counts;
  private final Clock clock;

  CommandRun(
      Relations relations,
      Map<Policy, RepairPolicy> policies,
      AttemptFence attempts,
      Guard guard,
      RatePermits permits,
      Retry retry,
      OutcomeCounts counts,
      Clock clock) {
    this.relations = relations;
    this.policies = Map.copyOf(policies);
    this.attempts = attempts;
    this.guard = guard;
    this.permits = permits;
    this.retry = retry;
    this.counts = counts;
    this.clock = clock;
  }

  /**
   * Carries out a command.
   *
   * @param owned false: the command belongs to another worker by now
   */
  CompletionStage<Ending> run(RepairCommand command, BooleanSupplier owned) {
    return Stages.compose(command, c -> decide(c, owned))
        .thenApply(Ending::of)
        .exceptionallyCompose(
            failure ->
                Stages.cause(failure) instanceof HandedOverException handedOver
                    ? CompletableFuture.failedStage(handedOver)
                    : seenThrough(command, inWords(failure)));
  }

  /** A refused command may have been begun before: then what is owed to it follows all the same. */
  private CompletionStage<Ending> seenThrough(RepairCommand command, Ending ending) {
    RepairPolicy policy = policies.get(command.getPolicy());
    if (ending.repair().outcome() != Outcome.REFUSED || policy == null) {
      return CompletableFuture.completedStage(ending);
    }
    return Stages.compose(command, c -> policy.owed(RepairOrder.of(c, relations)))
        .exceptionally(
            failure ->
                Faults.passing(failure) ? Optional.of(later(command, policy)) : Optional.empty())
        .thenApply(owed -> owed.map(ending::followedBy).orElse(ending));
  }

  /** What is owed cannot be told now. */
  private Repair.FollowUp later(RepairCommand command, RepairPolicy policy) {
    RepairOrder order = RepairOrder.of(command, relations);
    return new Repair.FollowUp(
        order.relation().settle(),
        () ->
            policy
                .owed(order)
                .thenCompose(
                    owed ->
                        owed.isPresent()
                            ? owed.get().look().get()
                            : CompletableFuture.completedStage(
                                Repair.none(Outcome.ALREADY, "nothing of it stands"))));
  }

  /** Takes a second look at a repair; where it leads to a write, waits until that may be made. */
  CompletionStage<Ending> secondLook(RepairCommand command, Repair.FollowUp followUp) {
    counts.onSecondLook();
    long until = Math.max(command.getNotAfterMillis(), clock.millis() + SECOND_LOOK.toMillis());
    return retry
        .until(
            until,
            failure -> Faults.passing(failure) || failure instanceof HeldException,
            this::countRetry,
            () -> {
              requireStillAllowed(command);
              return followUp.look().get();
            })
        .thenApply(Ending::of)
        .exceptionally(
            failure -> {
              Throwable cause = Stages.cause(failure);
              return cause instanceof Retry.GaveUpException gaveUp
                  ? Ending.of(
                      Repair.none(
                          Outcome.FAILED,
                          "the truth could not be read again after the rewrite: "
                              + Faults.inWords(gaveUp.getCause())))
                  : inWords(cause);
            });
  }

  private CompletionStage<Repair> decide(RepairCommand command, BooleanSupplier owned) {
    requireInTime(command);
    RepairOrder order = RepairOrder.of(command, relations);
    RepairPolicy policy = policies.get(command.getPolicy());
    if (policy == null) {
      throw new InvalidCommandException("no worker carries out " + command.getPolicy());
    }
    if (!attempts.admit(command.getIncident(), command.getAttempt())) {
      throw new RepairStopped(Outcome.REFUSED, "a later attempt of this incident was seen before");
    }
    Proposal proposal = proposal(order);
    requireAllowed(proposal);
    return permits
        .enter(order.relation(), order.stores(), () -> objection(command, proposal, owned))
        .thenCompose(
            slot ->
                retry
                    .until(
                        command.getNotAfterMillis(),
                        Faults::passing,
                        this::countRetry,
                        () -> {
                          requireAllowed(proposal);
                          return policy.mend(order);
                        })
                    .whenComplete((repair, failure) -> slot.leave()));
  }

  private static Proposal proposal(RepairOrder order) {
    return new Proposal(
        order.relation().name(),
        order.instance(),
        order.command().getIncident(),
        order.verdict(),
        order.command().getPolicy().name().toLowerCase(Locale.ROOT).replace('_', '-'),
        order.stores(),
        order.relation().approval());
  }

  private void requireAllowed(Proposal proposal) {
    Optional<HeldException> objection = guard.objection(proposal);
    if (objection.isPresent()) {
      throw objection.get();
    }
  }

  /** A repair that was approved when it began is seen to its end. */
  private void requireStillAllowed(RepairCommand command) {
    guard
        .objection(proposal(RepairOrder.of(command, relations)))
        .filter(held -> held.hold().reason() != Hold.Reason.UNAPPROVED)
        .ifPresent(
            held -> {
              throw held;
            });
  }

  /** What has happened while the command waited for its turn. */
  private Optional<? extends RuntimeException> objection(
      RepairCommand command, Proposal proposal, BooleanSupplier owned) {
    if (!owned.getAsBoolean()) {
      return Optional.of(new HandedOverException());
    }
    if (late(command)) {
      return Optional.of(tooLate(" while it waited for its turn"));
    }
    return guard.objection(proposal);
  }

  private void requireInTime(RepairCommand command) {
    if (late(command)) {
      throw tooLate("");
    }
  }

  private boolean late(RepairCommand command) {
    return clock.millis() > command.getNotAfterMillis();
  }

  private static RepairStopped tooLate(String when) {
    return new RepairStopped(Outcome.REFUSED, "the command's not-after has passed" + when);
  }

  private void countRetry(Throwable failure) {
    counts.onRetry(failure instanceof TruthUnavailableException);
  }

  private Ending inWords(Throwable failure) {
    Throwable cause = Stages.cause(failure);
    return cause instanceof HeldException held
        ? new Ending(Repair.none(Outcome.REFUSED, held.getMessage()), held.hold())
        : Ending.of(repair(cause));
  }

  private static Repair repair(Throwable cause) {
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
