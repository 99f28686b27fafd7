package dev.restitch.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.restitch.avro.Reading;
import dev.restitch.model.Bytes;
import dev.restitch.sweep.Suspect;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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
    return suspect.readings().stream().map(SweepReport::side).collect(Collectors.joining("  "));
  }

  private static String side(Reading reading) {
    String key = reading.getStore() + "/" + Bytes.copyOf(reading.getKey());
    return key
        + "="
        + switch (reading.getState()) {
          case STAMPED -> stamp(reading);
          case ABSENT, UNSTAMPED, UNREADABLE, PRESENT ->
              "(" + reading.getState().name().toLowerCase(Locale.ROOT) + ")";
        };
  }

  private static String stamp(Reading reading) {
    if (reading.getTokens() != null) {
      return reading.getTokens().size() + " tokens";
    }
    String token = reading.getToken() == null ? "" : Bytes.copyOf(reading.getToken()).toString();
    return reading.getVersion() == null ? token : reading.getVersion() + ":" + token;
  }

  private static ObjectNode object(Suspect suspect) {
    ObjectNode line = JSON.createObjectNode();
    line.put("instance", suspect.instance())
        .put("relation", suspect.relation().name())
        .put("finding", finding(suspect));
    ArrayNode sides = line.putArray("sides");
    for (Reading reading : suspect.readings()) {
      ObjectNode side = sides.addObject();
      side.put("store", reading.getStore());
      bytes(side, "key", reading.getKey());
      side.put("state", reading.getState().name().toLowerCase(Locale.ROOT));
      if (reading.getVersion() != null) {
        side.put("version", reading.getVersion());
      }
      if (reading.getToken() != null) {
        bytes(side, "token", reading.getToken());
      }
      if (reading.getTokens() != null) {
        ArrayNode tokens = side.putArray("tokens");
        reading.getTokens().forEach(token -> tokens.add(Bytes.copyOf(token).toString()));
      }
    }
    return line;
  }

  /** As text, or as base64 under {@code name64} where the bytes are not UTF-8. */
  private static void bytes(ObjectNode node, String name, ByteBuffer value) {
    Bytes bytes = Bytes.copyOf(value);
    Optional<String> text = bytes.asUtf8();
    if (text.isPresent()) {
      node.put(name, text.get());
    } else {
      node.put(name + "64", Base64.getEncoder().encodeToString(bytes.toArray()));
    }
  }
}
