package dev.restitch.sandbox.eyes;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The rows, as a table or as JSON. Stateless. */
final class ChaosReport {

  private static final String LINE =
      "%-21s %7s %8s %8s %8s %8s %7s %6s %8s %8s %5s %7s %9s %-6s %s%n";

  private ChaosReport() {}

  static String table(List<Row> rows) {
    StringBuilder text =
        new StringBuilder(
            LINE.formatted(
                "FAULT",
                "WRITES",
                "TORN",
                "NOTIFIED",
                "SWEPT",
                "BY-GAP",
                "MISSED",
                "FALSE",
                "P50",
                "P99",
                "GAPS",
                "LOST",
                "RECEIVED",
                "EQUALS",
                "WHY"));
    for (Row row : rows) {
      text.append(
          LINE.formatted(
              row.fault().title(),
              row.writes(),
              row.injected(),
              row.found(Way.NOTIFICATION),
              row.found(Way.SWEEP),
              row.found(Way.GAP),
              row.missed().size(),
              row.wrong().size(),
              row.percentile(0.5) + " ms",
              row.percentile(0.99) + " ms",
              row.gaps(),
              row.lost(),
              row.received(),
              row.unbalanced().isEmpty() ? "yes" : "NO",
              String.join(", ", row.whys()) + (row.right() ? "" : " -- WRONG")));
    }
    for (Row row : rows) {
      detail(text, row, "missed", row.missed());
      detail(text, row, "false", row.wrong());
      detail(text, row, "unbalanced", row.unbalanced());
    }
    return text.toString();
  }

  private static void detail(StringBuilder text, Row row, String what, Iterable<String> instances) {
    instances.forEach(
        one -> text.append(row.fault().title() + ": " + what + " " + one + System.lineSeparator()));
  }

  static String json(List<Row> rows) {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    for (Row row : rows) {
      ObjectNode one = all.addObject();
      one.put("fault", row.fault().title()).put("writes", row.writes()).put("torn", row.injected());
      one.put("notified", row.found(Way.NOTIFICATION)).put("swept", row.found(Way.SWEEP));
      one.put("byGap", row.found(Way.GAP));
      row.missed().forEach(one.putArray("missed")::add);
      row.wrong().forEach(one.putArray("false")::add);
      one.put("p50Millis", row.percentile(0.5)).put("p99Millis", row.percentile(0.99));
      one.put("gaps", row.gaps());
      row.whys().forEach(one.putArray("whys")::add);
      one.put("lost", row.lost()).put("received", row.received());
      row.unbalanced().forEach(one.putArray("unbalanced")::add);
      one.put("right", row.right());
    }
    return all.toString();
  }
}
