package dev.restitch.check;

import dev.restitch.avro.Reading;
import dev.restitch.avro.Snapshot;
import dev.restitch.config.RelationConfig;
import dev.restitch.config.RelationConfig.VerdictSwitch;
import dev.restitch.judge.Decision;
import dev.restitch.judge.Evidence;
import dev.restitch.judge.Incident;
import dev.restitch.judge.InstanceState;
import dev.restitch.judge.Judge;
import dev.restitch.judge.Reading.State;
import dev.restitch.model.Verdict;
import dev.restitch.topology.EvidenceReader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Judges one instance by looks at its sides, with nothing known before the first: the judge itself,
 * given what a look saw as observations, and the next look as the answer to its probe. Reads no
 * clock. Not thread-safe.
 */
final class Examination {

  private static final int MOST_LOOKS = 4;

  private final RelationConfig relation;
  private final Judge judge;
  private final InstanceState state;
  private Decision.Ask ask;
  private Incident incident;
  private Snapshot last;
  private long lastAt;
  private int looks;

  Examination(RelationConfig configured, String instance) {
    this.relation = declaringAll(configured);
    this.judge = new Judge(relation, false);
    this.state = judge.fresh(instance);
  }

  /** A switch that keeps a verdict from being declared is no reason not to say it to who asks. */
  private static RelationConfig declaringAll(RelationConfig r) {
    Map<Verdict, VerdictSwitch> all =
        Arrays.stream(Verdict.values())
            .collect(Collectors.toMap(Function.identity(), v -> VerdictSwitch.DECLARE));
    return new RelationConfig(
        r.name(),
        r.sides(),
        r.stamp(),
        r.version(),
        r.marker(),
        r.writesAll(),
        false, // intents are not looked at here
        r.settle(),
        r.memory(),
        r.ttlTolerance(),
        r.patience(),
        r.repair(),
        r.stampLimit(),
        r.rate(),
        r.concurrency(),
        r.approval(),
        r.brake(),
        r.generations(),
        all);
  }

  String instance() {
    return state.instance();
  }

  RelationConfig relation() {
    return relation;
  }

  Snapshot lastLook() {
    return last;
  }

  int looks() {
    return looks;
  }

  Optional<Incident> incident() {
    return Optional.ofNullable(incident);
  }

  /** True if every key could be read, and both passes of the last look read the same. */
  boolean readable() {
    return last.getStable()
        && last.getSides().stream().noneMatch(r -> state(r) == State.UNREADABLE);
  }

  static State state(Reading reading) {
    return EvidenceReader.reading(reading).state();
  }

  /** Takes a look at sides and markers, taken at this time. */
  void look(Snapshot snapshot, long at) {
    last = snapshot;
    lastAt = at;
    looks++;
    if (!readable()) {
      return;
    }
    List<dev.restitch.judge.Reading> readings =
        snapshot.getSides().stream().map(EvidenceReader::reading).toList();
    if (ask == null) {
      readings.forEach(r -> give(new Evidence.Observed(at, r, null, false)));
      return;
    }
    long seq = ask.seq();
    long askedAt = ask.askedAt();
    ask = null;
    give(new Evidence.SnapshotSeen(at, seq, askedAt, true, readings, false));
  }

  /**
   * When to look again: as soon as what was seen could no more be a write that is under way.
   * Negative: there is no need, all can be said.
   */
  long lookAgainAt() {
    long due = state.wakeAt();
    boolean soon = due >= 0 && due <= lastAt + relation.settle().toMillis();
    boolean more = looks < MOST_LOOKS && incident == null && readable();
    return more && soon ? Math.max(due, lastAt) : -1;
  }

  /** True if something speaks against the instance that one more look would decide. */
  boolean suspicious() {
    long due = state.wakeAt();
    return incident == null && due >= 0 && due <= lastAt + relation.settle().toMillis();
  }

  /** Time comes to this; the next look answers what the judge now asks. */
  void reach(long at) {
    give(new Evidence.TimePassed(at));
  }

  private void give(Evidence evidence) {
    for (Decision decision : judge.judge(state, evidence)) {
      if (decision instanceof Decision.Ask asked) {
        ask = asked;
      } else if (decision instanceof Decision.IncidentChanged changed) {
        incident = changed.incident();
      }
    }
  }
}
