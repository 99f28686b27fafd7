package dev.restitch.topology;

import dev.restitch.judge.Decision;
import dev.restitch.model.Verdict;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the judge counts. Every record read is judged, misplaced (its key belongs to another
 * partition) or undeclared (its relation is not configured): {@code read = judged + misplaced +
 * undeclared}; records that could not be read at all are counted by Kafka Streams and put into the
 * dead letters. Thread-safe.
 */
final class JudgeCounters {

  private final MeterRegistry registry;
  private final Map<Object, Counter> counters = new ConcurrentHashMap<>();
  private final Counter read;
  private final Counter judged;

  JudgeCounters(MeterRegistry registry) {
    this.registry = registry;
    this.read = registry.counter("restitch.judge.records", "result", "read");
    this.judged = registry.counter("restitch.judge.records", "result", "judged");
  }

  void read() {
    read.increment();
  }

  void judged() {
    judged.increment();
  }

  void misplaced() {
    count("restitch.judge.records", "result", "misplaced");
  }

  void undeclared() {
    count("restitch.judge.records", "result", "undeclared");
  }

  void stateLost() {
    count("restitch.judge.states.unreadable", "result", "dropped");
  }

  void decided(String relation, Decision decision) {
    if (decision instanceof Decision.Settled s) {
      settled(s.verdict());
    } else if (decision instanceof Decision.Ask) {
      count("restitch.judge.probes", "relation", relation);
    } else if (decision instanceof Decision.Repair r) {
      count("restitch.judge.repairs", "policy", r.policy().label());
    } else if (decision instanceof Decision.IncidentChanged c) {
      count(
          "restitch.judge.incidents", "change", c.incident().phase.name().toLowerCase(Locale.ROOT));
    } else if (decision instanceof Decision.Counted c) {
      count("restitch.judge.noted", "what", c.counter().name().toLowerCase(Locale.ROOT));
    } else if (decision instanceof Decision.NotWhole) {
      count("restitch.transactions", "verdict", "not_whole");
    }
  }

  /** Half of all records settle something: no name is put together for each. */
  private void settled(Verdict verdict) {
    Counter known = counters.get(verdict);
    if (known == null) {
      String name = verdict.name().toLowerCase(Locale.ROOT);
      known = registry.counter("restitch.transactions", "verdict", name);
      counters.put(verdict, known);
    }
    known.increment();
  }

  private void count(String name, String tag, String value) {
    counters
        .computeIfAbsent(name + '|' + value, k -> registry.counter(name, tag, value))
        .increment();
  }
}
