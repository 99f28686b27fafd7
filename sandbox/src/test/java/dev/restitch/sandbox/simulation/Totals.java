package dev.restitch.sandbox.simulation;

import dev.restitch.avro.Outcome;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** What happened in one schedule, or in many. */
final class Totals {

  long schedules;
  long steps;
  long transactions;
  long tears;
  long commands;
  long left;
  long unseen;
  final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
  final Map<String, Long> verdicts = new TreeMap<>();

  void outcome(Outcome outcome) {
    outcomes.merge(outcome, 1L, Long::sum);
  }

  void verdict(String verdict) {
    tears++;
    verdicts.merge(verdict, 1L, Long::sum);
  }

  void end(World world) {
    schedules++;
    steps += world.scheduler.steps();
    transactions += world.clients.stream().filter(c -> !c.wrote.isEmpty()).count();
    commands += world.group.all().size();
  }

  void add(Totals other) {
    schedules += other.schedules;
    steps += other.steps;
    transactions += other.transactions;
    tears += other.tears;
    commands += other.commands;
    left += other.left;
    unseen += other.unseen;
    other.outcomes.forEach((k, v) -> outcomes.merge(k, v, Long::sum));
    other.verdicts.forEach((k, v) -> verdicts.merge(k, v, Long::sum));
  }

  @Override
  public String toString() {
    return "%,d schedules, %,d steps, %,d transactions, %,d tears %s, %,d commands, outcomes %s, %,d left to people, %,d half-finished deletes unseen"
        .formatted(
            schedules, steps, transactions, tears, verdicts, commands, outcomes, left, unseen);
  }
}
