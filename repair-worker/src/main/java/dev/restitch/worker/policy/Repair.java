package dev.restitch.worker.policy;

import dev.restitch.avro.Outcome;
import dev.restitch.stamp.Stamp;
import dev.restitch.worker.apply.Change;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What a policy has done.
 *
 * @param detail why, for people; null: nothing to say
 * @param written the stamp that the sides were to have; null where the policy writes none
 * @param changes key by key
 * @param followUp what must be looked at again later
 */
public record Repair(
    Outcome outcome,
    String detail,
    Stamp written,
    List<Change> changes,
    Optional<FollowUp> followUp) {

  /**
   * A second look, after some time; it may lead to a third.
   *
   * @param look may be called again after a failure that passes
   */
  public record FollowUp(Duration after, Supplier<CompletionStage<Repair>> look) {}

  public Repair {
    Objects.requireNonNull(outcome, "outcome");
    changes = List.copyOf(changes);
  }

  /** Nothing was written. */
  public static Repair none(Outcome outcome, String detail) {
    return new Repair(outcome, detail, null, List.of(), Optional.empty());
  }

  /** The outcome that the changes amount to: the worst of them. */
  public static Repair of(Stamp written, List<Change> changes) {
    String detail = null;
    Outcome outcome = Outcome.ALREADY;
    if (any(changes, Change.Kind.CONFLICT)) {
      outcome = Outcome.CONFLICT;
      detail = "not what was expected: " + found(changes, Change.Kind.CONFLICT);
    } else if (any(changes, Change.Kind.SUPERSEDED)) {
      outcome = Outcome.SUPERSEDED;
      detail = "something newer stands: " + found(changes, Change.Kind.SUPERSEDED);
    } else if (any(changes, Change.Kind.WRITTEN)) {
      outcome = Outcome.APPLIED;
    }
    return new Repair(outcome, detail, written, changes, Optional.empty());
  }

  /** The same with a second look. */
  public Repair followedBy(FollowUp next) {
    return new Repair(outcome, detail, written, changes, Optional.of(next));
  }

  /** True if all that was to stand stands. */
  public boolean stands() {
    return outcome == Outcome.APPLIED || outcome == Outcome.ALREADY;
  }

  private static boolean any(List<Change> changes, Change.Kind kind) {
    return changes.stream().anyMatch(c -> c.kind() == kind);
  }

  private static String found(List<Change> changes, Change.Kind kind) {
    return changes.stream()
        .filter(c -> c.kind() == kind)
        .map(c -> c.key() + " has " + c.before())
        .collect(Collectors.joining(", "));
  }
}
