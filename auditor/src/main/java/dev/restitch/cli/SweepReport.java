package dev.restitch.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.restitch.avro.Reading;
import dev.restitch.sweep.Suspect;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Prints what a sweep finds: as JSON at once, one object a line; as a table at the end. Never a
 * payload. Thread-safe.
 */
final class SweepReport {

  /** Rows that the table holds. */
  static final int MOST = 10_000;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final PrintWriter out;
  private final boolean json;
  private final List<Suspect> rows = new ArrayList<>();
  private long found;

  SweepReport(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
  }

  synchronized void add(Suspect suspect) {
    found++;
    if (json) {
      out.println(object(suspect));
      out.flush();
    } else if (rows.size() < MOST) {
      rows.add(suspect);
    }
  }

  /** How many were found. */
  synchronized long found() {
    return found;
  }

  /** Prints what is not printed yet. */
  synchronized void end() {
    if (json || rows.isEmpty()) {
      return;
    }
    Table table = new Table("INSTANCE", "FINDING", "SIDES");
    rows.stream()
        .sorted(Comparator.comparing(Suspect::instance))
        .forEach(s -> table.row(s.instance(), finding(s), sides(s)));
    table.print(out);
    if (found > rows.size()) {
      out.println("and " + (found - rows.size()) + " more; -o json prints them all");
    }
    out.flush();
  }

  private static String finding(Suspect suspect) {
    return suspect.comparison().name().toLowerCase(Locale.ROOT);
  }

  private static String sides(Suspect suspect) {
    return suspect.readings().stream().map(ReadingText::side).collect(Collectors.joining("  "));
  }

  private static ObjectNode object(Suspect suspect) {
    ObjectNode line = JSON.createObjectNode();
    line.put("instance", suspect.instance())
        .put("relation", suspect.relation().name())
        .put("finding", finding(suspect));
    ArrayNode sides = line.putArray("sides");
    for (Reading reading : suspect.readings()) {
      ReadingText.write(sides.addObject(), reading);
    }
    return line;
  }
}
