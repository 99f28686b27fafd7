package dev.restitch.replay;

import dev.restitch.config.RelationConfig;
import dev.restitch.config.Relations;
import dev.restitch.judge.Evidence;
import dev.restitch.judge.Reading;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * What was seen of commit markers, and which instances they matter to: a marker's key names a
 * token, not an instance.
 */
final class Markers {

  private final Map<StoreKey, Evidence.Observed> last = new LinkedHashMap<>();
  private final Map<StoreKey, Set<String>> instances = new LinkedHashMap<>();
  private final Deque<Touched> touched = new ArrayDeque<>();

  private record Touched(StoreKey marker, long at) {}

  /** Notes the markers that this evidence makes an instance care for. */
  void follow(String instance, Evidence evidence, Relations relations) {
    RelationConfig relation = relations.ofInstance(instance).orElseThrow();
    if (evidence instanceof Evidence.IntentSeen e) {
      if (e.marker() != null) {
        follow(instance, e.marker(), e.at());
      } else {
        follow(instance, relation, e.stamp().token(), e.at());
      }
    } else if (evidence instanceof Evidence.Observed e && e.reading().stamp() != null) {
      follow(instance, relation, e.reading().stamp().token(), e.at());
    }
  }

  private void follow(String instance, RelationConfig relation, Bytes token, long at) {
    if (relation.marker() != null && !token.isEmpty()) {
      relation.markerOf(instance, token).ifPresent(k -> follow(instance, k, at));
    }
  }

  private void follow(String instance, StoreKey marker, long at) {
    instances.computeIfAbsent(marker, k -> new LinkedHashSet<>(2)).add(instance);
    touched.add(new Touched(marker, at));
  }

  /** Forgets markers that nothing was told of since then. */
  void forgetBefore(long at) {
    while (!touched.isEmpty() && touched.peek().at() < at) {
      StoreKey marker = touched.poll().marker();
      Evidence.Observed seen = last.get(marker);
      if (seen == null || seen.at() < at) {
        last.remove(marker);
        instances.remove(marker);
      } else {
        touched.add(new Touched(marker, seen.at()));
      }
    }
  }

  /** Keeps the sighting; returns the instances that it matters to. */
  Set<String> seen(Evidence.Observed seen) {
    StoreKey key = seen.reading().key();
    Evidence.Observed before = last.get(key);
    if (before == null || before.at() <= seen.at()) {
      last.put(key, seen);
      touched.add(new Touched(key, seen.at()));
    }
    return Set.copyOf(instances.getOrDefault(key, Set.of()));
  }

  Evidence.Observed lastOf(StoreKey marker) {
    return last.get(marker);
  }

  /** The last observation of a marker, with its own time; absent if there was none. */
  Reading lastReading(StoreKey marker) {
    Evidence.Observed seen = last.get(marker);
    if (seen == null) {
      return Reading.of(marker, Reading.State.ABSENT);
    }
    Reading r = seen.reading();
    return new Reading(
        marker, r.state(), null, null, r.expiresAtMillis(), null, null, null, seen.at());
  }
}
