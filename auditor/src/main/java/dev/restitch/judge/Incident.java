package dev.restitch.judge;

import dev.restitch.model.StoreKey;
import dev.restitch.model.Verdict;
import dev.restitch.stamp.Stamp;
import java.util.ArrayList;
import java.util.List;

/**
 * An inconsistency that the judge declared, with its life: {@code OPEN -> REPAIRING -> REPAIRED},
 * or {@code HEALED} (whole before any repair), {@code SUPPRESSED}, {@code MANUAL} (policies
 * exhausted), {@code FAILED}. Mutable; owned by one {@link InstanceState}; {@link #copy} is what
 * leaves the judge. Times are epoch milliseconds of recorded time.
 */
public final class Incident {

  /** Where an incident stands in its life. */
  public enum Phase {
    OPEN,
    REPAIRING,
    REPAIRED,
    HEALED,
    SUPPRESSED,
    MANUAL,
    FAILED;

    public boolean closed() {
      return this == REPAIRED || this == HEALED;
    }
  }

  /** One step of the incident's story. */
  public record Step(long at, String what, String detail) {}

  private static final int LONGEST_STORY = 48;

  public final String id;
  public Phase phase = Phase.OPEN;
  public Verdict verdict;

  /** The torn transaction's stamp; null where none is known. */
  public Stamp stamp;

  public List<StoreKey> behind = List.of();
  public String rule = "";
  public boolean fromObservations;

  /** The label of the first allowed policy; once commanded, of the policy that was. */
  public String action = "report";

  public long suspectedAt;
  public long dueAt;
  public long declaredAt;
  public long updatedAt;
  public long closedAt = -1;
  public int attempts;
  public int generation;
  public String lastOutcome;

  /** The readings of the last deciding snapshot; not kept in the judge's state. */
  public List<Reading> evidence = List.of();

  public final List<Step> story = new ArrayList<>();

  // what the judge alone needs
  int policyIndex;
  int policyAttempts;
  int cleanSnapshots;
  boolean applied;
  String command;
  int commandAttempt;
  long commandNotAfter = -1;

  public Incident(String id) {
    this.id = id;
  }

  void tell(long at, String what, String detail) {
    int last = story.size() - 1;
    if (what.equals("probed") && last >= 0 && story.get(last).what().equals("probed")) {
      story.remove(last); // of probes in a row the last one counts
    } else if (story.size() == LONGEST_STORY) {
      story.remove(LONGEST_STORY / 2); // how it began, and what came last
    }
    story.add(new Step(at, what, detail));
  }

  boolean commandInFlight(long now) {
    return command != null && now < commandNotAfter;
  }

  /** A snapshot of the present state that later judging does not change. */
  public Incident copy() {
    Incident c = new Incident(id);
    c.phase = phase;
    c.verdict = verdict;
    c.stamp = stamp;
    c.behind = behind;
    c.rule = rule;
    c.fromObservations = fromObservations;
    c.action = action;
    c.suspectedAt = suspectedAt;
    c.dueAt = dueAt;
    c.declaredAt = declaredAt;
    c.updatedAt = updatedAt;
    c.closedAt = closedAt;
    c.attempts = attempts;
    c.generation = generation;
    c.lastOutcome = lastOutcome;
    c.evidence = evidence;
    c.story.addAll(story);
    c.policyIndex = policyIndex;
    c.policyAttempts = policyAttempts;
    c.cleanSnapshots = cleanSnapshots;
    c.applied = applied;
    c.command = command;
    c.commandAttempt = commandAttempt;
    c.commandNotAfter = commandNotAfter;
    return c;
  }
}
