package dev.restitch.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.restitch.avro.Reading;
import dev.restitch.check.Checked;
import dev.restitch.config.Relations;
import dev.restitch.judge.Incident;
import dev.restitch.key.InstanceName;
import dev.restitch.model.Bytes;
import dev.restitch.replay.IncidentJson;
import java.io.PrintWriter;
import java.util.Locale;

/** Prints what a check found. Never a payload. */
final class CheckReport {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final PrintWriter out;
  private final Relations relations;

  CheckReport(PrintWriter out, Relations relations) {
    this.out = out;
    this.relations = relations;
  }

  /** For people: the word, why, the sides, and what such a look cannot know. */
  void text(Checked checked) {
    out.printf("%s is %s: %s%n", checked.instance(), result(checked), checked.why());
    Table sides = new Table("  KEY", "STAMP", "TTL");
    for (Reading reading : checked.readings()) {
      sides.row(
          "  " + reading.getStore() + "/" + Bytes.copyOf(reading.getKey()),
          ReadingText.state(reading),
          reading.getExpiresAtMillis() == null ? "" : "expires");
    }
    sides.print(out);
    checked
        .incident()
        .filter(incident -> !incident.behind.isEmpty())
        .ifPresent(i -> out.println("  behind: " + IncidentJson.names(i.behind, relations)));
    checked.unknown().forEach(line -> out.println("  cannot be known from this: " + line));
  }

  /** For programs: one object a line. */
  void json(Checked checked) {
    ObjectNode line = JSON.createObjectNode();
    line.put("instance", checked.instance())
        .put("relation", InstanceName.relation(checked.instance()))
        .put("result", result(checked));
    checked.incident().ifPresent(incident -> incident(line, incident));
    line.put("why", checked.why()).put("looks", checked.looks());
    ArrayNode unknown = line.putArray("unknown");
    checked.unknown().forEach(unknown::add);
    ArrayNode sides = line.putArray("sides");
    checked.readings().forEach(reading -> ReadingText.write(sides.addObject(), reading));
    out.println(line);
  }

  private void incident(ObjectNode line, Incident incident) {
    line.put("verdict", incident.verdict.name());
    if (incident.stamp != null && !incident.stamp.token().isEmpty()) {
      ReadingText.bytes(line, "token", incident.stamp.token());
    }
    if (incident.stamp != null && incident.stamp.version() != null) {
      line.put("version", incident.stamp.version());
    }
    ArrayNode behind = line.putArray("behind");
    incident.behind.forEach(key -> behind.add(IncidentJson.name(key, relations)));
    line.put("action", incident.action);
  }

  private static String result(Checked checked) {
    return checked.result().name().toLowerCase(Locale.ROOT);
  }
}
