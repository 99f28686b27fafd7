package dev.restitch.sandbox.demo;

import dev.restitch.avro.Incident;
import dev.restitch.avro.IncidentState;
import dev.restitch.sandbox.workload.Discrepancy;
import dev.restitch.sandbox.workload.Injection;
import dev.restitch.sandbox.workload.Ledger;
import dev.restitch.sandbox.workload.Tear;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.HdrHistogram.Histogram;

/**
 * How a run ended.
 *
 * @param written logical writes done
 * @param seconds how long they took
 * @param rows one a kind of tear, and the total last
 * @param falseIncidents what was found that nobody tore
 * @param slowWrites writes that took longer than the settle time because the machine was slow
 * @param slowIncidents incidents about those: right, not false
 * @param unmended tears whose incident is not closed
 * @param discrepancies where a store is torn or not the truth
 * @param problems what else went wrong, in words
 */
record Report(
    long seed,
    long written,
    double seconds,
    List<Row> rows,
    List<Incident> falseIncidents,
    int slowWrites,
    int slowIncidents,
    List<Injection.Standing> unmended,
    List<Discrepancy> discrepancies,
    List<String> problems) {

  /**
   * One line of the closing table.
   *
   * @param left instances that are still torn in the stores
   * @param p50 median delay of detection after the settle time, milliseconds
   * @param p99 its 99th percentile, milliseconds
   */
  record Row(
      String kind,
      long injected,
      long found,
      long repaired,
      long healed,
      long left,
      long p50,
      long p99) {}

  static Report of(
      long seed,
      long written,
      double seconds,
      Ledger ledger,
      List<Discrepancy> discrepancies,
      List<String> problems) {
    List<Injection.Standing> injections = ledger.injections();
    Set<String> torn = new HashSet<>();
    discrepancies.stream().filter(Discrepancy::torn).forEach(d -> torn.add(d.instance()));
    List<Row> rows = new ArrayList<>();
    for (Tear tear : Tear.values()) {
      List<Injection.Standing> some = injections.stream().filter(i -> i.tear() == tear).toList();
      long left = some.stream().filter(i -> torn.contains(i.instance())).count();
      rows.add(row(tear.name(), some, left));
    }
    rows.add(row("total", injections, torn.size()));
    return new Report(
        seed,
        written,
        seconds,
        rows,
        ledger.falseIncidents(),
        ledger.slowWrites(),
        ledger.slowIncidents().size(),
        injections.stream().filter(i -> !i.mended()).toList(),
        discrepancies,
        problems);
  }

  private static Row row(String kind, List<Injection.Standing> some, long left) {
    Histogram delays = new Histogram(3);
    List<Injection.Standing> found = some.stream().filter(Injection.Standing::found).toList();
    found.forEach(i -> delays.recordValue(i.delayMillis()));
    return new Row(
        kind,
        some.size(),
        found.size(),
        found.stream().filter(i -> i.state() == IncidentState.REPAIRED).count(),
        found.stream().filter(i -> i.state() == IncidentState.HEALED).count(),
        left,
        delays.getValueAtPercentile(50),
        delays.getValueAtPercentile(99));
  }

  Row total() {
    return rows.get(rows.size() - 1);
  }

  /** True if all was found, nothing else, and every store equals the truth. */
  boolean passed() {
    return total().found() == total().injected()
        && falseIncidents.isEmpty()
        && unmended.isEmpty()
        && discrepancies.isEmpty()
        && problems.isEmpty();
  }
}
