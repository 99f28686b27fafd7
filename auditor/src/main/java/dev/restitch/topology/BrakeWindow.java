package dev.restitch.topology;

import dev.restitch.config.RelationConfig;
import dev.restitch.config.Relations;
import dev.restitch.judge.Decision;
import dev.restitch.judge.Incident;
import dev.restitch.key.InstanceName;
import dev.restitch.model.Verdict;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The instances that one task has judged within the last minute of recorded time, per relation and
 * store, and which of them it declared torn for the first time. Of more instances than can be kept
 * the latest count. In memory: after a restart the minute begins anew. Not thread-safe.
 */
final class BrakeWindow {

  static final long WINDOW_MILLIS = 60_000;
  static final int MOST_INSTANCES = 100_000;

  /** One relation on one store. */
  record Lane(String relation, String store) {}

  /** Instances judged, and those of them declared torn. */
  record Share(long judged, long torn) {

    static final Share NONE = new Share(0, 0);

    Share plus(Share other) {
      return new Share(judged + other.judged, torn + other.torn);
    }
  }

  private record Judged(long at, boolean torn) {}

  private static final class LaneWindow {
    private final LinkedHashMap<String, Judged> instances = new LinkedHashMap<>();
    private int torn;

    void note(String instance, long at, boolean isTorn) {
      Judged before = instances.remove(instance);
      boolean now = isTorn || (before != null && before.torn());
      instances.put(instance, new Judged(at, now));
      torn += now && (before == null || !before.torn()) ? 1 : 0;
    }

    void forget(long through, int most) {
      Iterator<Judged> oldest = instances.values().iterator();
      while (oldest.hasNext()) {
        Judged judged = oldest.next();
        if (judged.at() > through && instances.size() <= most) {
          return;
        }
        torn -= judged.torn() ? 1 : 0;
        oldest.remove();
      }
    }
  }

  private final Map<String, List<Lane>> lanesOf = new HashMap<>();
  private final Map<Lane, LaneWindow> lanes = new HashMap<>();

  BrakeWindow(Relations relations) {
    for (RelationConfig r : relations.all()) {
      lanesOf.put(
          r.name(), r.sides().stream().map(s -> new Lane(r.name(), s.store())).distinct().toList());
    }
  }

  /** Takes a decision about an instance into account. */
  void note(String instance, Decision decision, long now) {
    if (decision instanceof Decision.Settled) {
      note(instance, now, Set.of());
    } else if (decision instanceof Decision.IncidentChanged changed) {
      Incident incident = changed.incident();
      if (incident.verdict == Verdict.INDETERMINATE) {
        return; // nothing was judged
      }
      boolean first = incident.declaredAt == incident.updatedAt && !incident.phase.closed();
      boolean feeds =
          first && tears(incident.verdict) && incident.phase != Incident.Phase.SUPPRESSED;
      Set<String> behind = new HashSet<>();
      if (feeds) {
        incident.behind.forEach(key -> behind.add(key.store()));
      }
      note(instance, now, behind);
    }
  }

  /** Warnings about markers, and what is only counted or reported, are no tears. */
  private static boolean tears(Verdict verdict) {
    return !verdict.aboutMarker()
        && verdict != Verdict.UNDECIDED
        && verdict != Verdict.UNCLAIMED
        && !verdict.healthy();
  }

  private void note(String instance, long now, Set<String> tornOn) {
    for (Lane name : lanesOf.get(InstanceName.relation(instance))) {
      LaneWindow lane = lanes.computeIfAbsent(name, l -> new LaneWindow());
      lane.note(instance, now, tornOn.contains(name.store()));
      lane.forget(now - WINDOW_MILLIS, MOST_INSTANCES);
    }
  }

  /** What a minute up to now has seen; lanes without anything are left out. */
  Map<Lane, Share> shares(long now) {
    Map<Lane, Share> shares = new HashMap<>();
    lanes.forEach(
        (name, lane) -> {
          lane.forget(now - WINDOW_MILLIS, MOST_INSTANCES);
          if (!lane.instances.isEmpty()) {
            shares.put(name, new Share(lane.instances.size(), lane.torn));
          }
        });
    return shares;
  }

  /** The brake of a store was reset: its minute begins anew. */
  void reset(String store) {
    lanes.keySet().removeIf(lane -> lane.store().equals(store));
  }
}
