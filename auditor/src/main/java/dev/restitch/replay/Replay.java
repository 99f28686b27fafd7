package dev.restitch.replay;

import dev.restitch.config.RelationConfig;
import dev.restitch.config.Relations;
import dev.restitch.config.RestitchConfig;
import dev.restitch.judge.Decision;
import dev.restitch.judge.Evidence;
import dev.restitch.judge.Incident;
import dev.restitch.judge.InstanceState;
import dev.restitch.judge.Judge;
import dev.restitch.judge.Reading;
import dev.restitch.key.InstanceName;
import dev.restitch.model.StoreKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs the judge over a history file in recorded time. The same file and configuration give the
 * same incidents every time; memory grows with live instances and incidents. Not thread-safe.
 */
public final class Replay {

  /** An incident in its last state. */
  public record Found(String instance, Incident incident) {}

  private final Relations relations;
  private final HistoryDecoder decoder;
  private final Map<String, Judge> judges = new HashMap<>();
  private final Instances instances;
  private final Map<String, Decision.Ask> openAsks = new HashMap<>();
  private final Markers markers = new Markers();
  private final Map<String, Found> found = new LinkedHashMap<>();
  private final ReplayTotals totals = new ReplayTotals();
  private final long markerMemory;

  private UpcomingSnapshots upcoming;

  /** The last line whose evidence was given; timers fire before that of the next one. */
  private long given;

  private long now = -1;

  public Replay(RestitchConfig config) {
    this.relations = config.resolver();
    this.decoder = new HistoryDecoder(relations);
    this.instances = new Instances(relations, judges);
    long longest = 0;
    for (RelationConfig r : config.relations().values()) {
      judges.put(r.name(), new Judge(r, false));
      longest = Math.max(longest, r.memory().toMillis());
      if (r.marker() != null && r.marker().ttl() != null) {
        longest = Math.max(longest, r.marker().ttl().toMillis());
      }
    }
    this.markerMemory = 2 * longest;
  }

  /**
   * Replays a history.
   *
   * @param broken called with each broken line when it is to be skipped; null: it is thrown
   * @param progress called now and then with the bytes read so far
   * @throws HistoryException at the first broken line, unless {@code broken} takes it
   */
  public List<Found> run(Path history, Consumer<HistoryException> broken, Consumer<Long> progress)
      throws IOException {
    try (HistoryLines lines = new HistoryLines(history);
        UpcomingSnapshots ahead = new UpcomingSnapshots(history, decoder, broken != null)) {
      upcoming = ahead;
      while (step(lines, broken)) {
        if ((lines.number() & 0xfff) == 0) {
          progress.accept(lines.bytes());
          markers.forgetBefore(now - markerMemory);
        }
      }
      fireTimers(now);
    }
    List<Found> incidents = new ArrayList<>(found.values());
    incidents.sort(
        Comparator.comparingLong((Found f) -> f.incident().declaredAt)
            .thenComparing(Found::instance));
    return incidents;
  }

  public ReplayTotals totals() {
    return totals;
  }

  /** Takes one line; false if there is none. */
  private boolean step(HistoryLines lines, Consumer<HistoryException> broken) throws IOException {
    String text = null;
    try {
      text = lines.next();
      if (text != null && !text.isBlank()) {
        accept(decoder.decode(lines.number(), text));
      }
      return text != null;
    } catch (HistoryException e) {
      if (broken == null) {
        throw e;
      }
      totals.broken++;
      broken.accept(e.in(text));
      return true;
    }
  }

  private void accept(HistoryDecoder.Line decoded) throws IOException {
    totals.lines++;
    instances.compact();
    if (decoded.at() > now) {
      fireTimers(decoded.at() - 1);
      now = decoded.at();
    } else if (decoded.at() < now) {
      totals.late++;
    }
    given = decoded.number();
    totals.undeclaredKeys += decoded.undeclared();
    if (decoded.contradiction()) {
      totals.contradictions++;
    }
    switch (decoded.kind()) {
      case INSTANCE -> {
        for (String instance : decoded.instances()) {
          give(instance, decoded.evidence());
        }
        if (decoded.marker() != null) {
          giveKnownMarker(decoded);
        }
      }
      case MARKER -> giveMarker((Evidence.Observed) decoded.evidence());
      case SNAPSHOT -> giveSnapshot(decoded);
      case GAP -> giveGap((Evidence.GapSeen) decoded.evidence());
      case END -> fireTimers(decoded.at());
      case UNDECLARED -> totals.undeclared++;
    }
  }

  private void give(String instance, Evidence evidence) throws IOException {
    Instances.Live live = instances.live(instance);
    give(live, evidence);
  }

  private void give(Instances.Live live, Evidence evidence) throws IOException {
    List<Decision> decisions = live.judge().judge(live.state(), evidence);
    markers.follow(live.instance(), evidence, relations);
    for (Decision decision : decisions) {
      carryOut(live, decision);
    }
    if (live.state().forgotten()) {
      openAsks.remove(live.instance());
    }
    instances.judged(live);
  }

  private void giveMarker(Evidence.Observed seen) throws IOException {
    for (String instance : markers.seen(seen)) {
      give(instance, seen);
    }
  }

  /** A marker seen before its intent. */
  private void giveKnownMarker(HistoryDecoder.Line decoded) throws IOException {
    Evidence.Observed seen = markers.lastOf(decoded.marker());
    if (seen != null) {
      for (String instance : decoded.instances()) {
        give(instance, seen);
      }
    }
  }

  private void giveSnapshot(HistoryDecoder.Line decoded) throws IOException {
    String instance = decoded.instances().iterator().next();
    upcoming.passed(instance, decoded.number());
    Evidence.SnapshotSeen e = (Evidence.SnapshotSeen) decoded.evidence();
    Decision.Ask open = openAsks.remove(instance);
    Evidence.SnapshotSeen answer =
        open == null
            ? new Evidence.SnapshotSeen(e.at(), -1L, e.askedAt(), e.stable(), e.readings(), false)
            : new Evidence.SnapshotSeen(
                e.at(),
                open.seq(),
                e.askedAt() == null ? Long.valueOf(open.askedAt()) : e.askedAt(),
                e.stable(),
                e.readings(),
                false);
    give(instance, answer);
  }

  private void giveGap(Evidence.GapSeen gap) throws IOException {
    for (String instance : instances.names()) {
      if (instances.live(instance).state().remembers(gap.store())) {
        give(instance, gap);
      }
      instances.compact();
    }
  }

  private void carryOut(Instances.Live live, Decision decision) throws IOException {
    String instance = live.instance();
    if (decision instanceof Decision.Ask ask) {
      totals.asks++;
      long patience = relations.ofInstance(instance).orElseThrow().patience().toMillis();
      if (upcoming.answers(instance, given, ask.askedAt() + patience)) {
        openAsks.put(instance, ask);
      } else {
        openAsks.remove(instance);
        give(live, fromObservations(live.state(), ask));
      }
    } else if (decision instanceof Decision.IncidentChanged changed) {
      found.put(changed.incident().id, new Found(instance, changed.incident()));
    } else {
      totals.note(InstanceName.relation(instance), decision);
    }
  }

  private Evidence.SnapshotSeen fromObservations(InstanceState state, Decision.Ask ask) {
    List<Reading> readings = new ArrayList<>();
    for (StoreKey key : ask.keys()) {
      InstanceState owner = state;
      if (!state.owns(key)) {
        owner =
            relations
                .resolve(key.store(), key.key())
                .flatMap(side -> instances.known(side.instance()))
                .orElse(null);
      }
      readings.add(owner == null ? Reading.of(key, Reading.State.ABSENT) : owner.lastReading(key));
    }
    for (StoreKey key : ask.markers()) {
      readings.add(markers.lastReading(key));
    }
    return new Evidence.SnapshotSeen(ask.askedAt(), ask.seq(), ask.askedAt(), true, readings, true);
  }

  /** Time never goes back: a timer that late evidence sets in the past fires now. */
  private void fireTimers(long until) throws IOException {
    Instances.Due due = instances.nextDue(until);
    while (due != null) {
      now = Math.max(now, due.at());
      give(due.live(), new Evidence.TimePassed(now));
      instances.compact();
      due = instances.nextDue(until);
    }
  }
}
