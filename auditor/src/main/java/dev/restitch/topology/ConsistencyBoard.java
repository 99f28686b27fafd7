package dev.restitch.topology;

import dev.restitch.judge.Consistency;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The consistency measure of the partitions that this auditor judges, for readers on other threads:
 * the tasks write, the API and the meters read. What other auditors judge is theirs to show; counts
 * may be added up. Thread-safe.
 */
public final class ConsistencyBoard {

  private record Place(String task, String relation) {}

  private final Map<Place, Consistency> shown = new ConcurrentHashMap<>();

  /** Registers {@code restitch_consistency_*} for the relations. */
  public ConsistencyBoard bind(MeterRegistry meters, Collection<String> relations) {
    for (String relation : relations) {
      Gauge.builder("restitch.consistency.transactions", () -> of(relation).sample())
          .description("Transactions that took effect, by relation: the sample of the measure.")
          .tag("relation", relation)
          .register(meters);
      for (int i = 0; i < Consistency.LIMITS.size(); i++) {
        int limit = i;
        Gauge.builder("restitch.consistency.whole", () -> of(relation).wholeWithin(limit))
            .description("Those of them that were whole within a limit.")
            .tag("relation", relation)
            .tag("within", Consistency.LIMIT_NAMES.get(i))
            .register(meters);
        Gauge.builder("restitch.consistency.nines", () -> of(relation).nines(limit))
            .description("The share in nines; bounded by the sample where nothing failed.")
            .tag("relation", relation)
            .tag("within", Consistency.LIMIT_NAMES.get(i))
            .register(meters);
      }
    }
    return this;
  }

  void show(String task, String relation, Consistency measure) {
    shown.put(new Place(task, relation), measure);
  }

  void remove(String task) {
    shown.keySet().removeIf(place -> place.task().equals(task));
  }

  /** One relation's measure over all tasks; {@link Consistency#NONE} if nothing was counted. */
  public Consistency of(String relation) {
    return all().getOrDefault(relation, Consistency.NONE);
  }

  /** Every relation's measure, by name. */
  public SortedMap<String, Consistency> all() {
    SortedMap<String, Consistency> sum = new TreeMap<>();
    shown.forEach((place, c) -> sum.merge(place.relation(), c, Consistency::plus));
    return sum;
  }
}
