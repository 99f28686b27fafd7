package dev.restitch.sandbox.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.restitch.avro.Incident;
import dev.restitch.sandbox.workload.Discrepancy;
import dev.restitch.sandbox.workload.Injection;

/** The closing result as one JSON object, for programs. */
final class ReportJson {

  private static final ObjectMapper JSON = new ObjectMapper();

  private ReportJson() {}

  static String of(Report report) {
    ObjectNode out = row(report.total(), JSON.createObjectNode());
    out.put("passed", report.passed());
    out.put("seed", report.seed());
    out.put("writes", report.written());
    out.put("seconds", report.seconds());
    out.put("false", report.falseIncidents().size());
    out.put("slowWrites", report.slowWrites());
    out.put("slowIncidents", report.slowIncidents());
    ObjectNode kinds = out.putObject("kinds");
    report.rows().stream()
        .filter(row -> !row.equals(report.total()))
        .forEach(row -> row(row, kinds.putObject(row.kind())));
    ArrayNode falseIncidents = out.putArray("falseIncidents");
    for (Incident incident : report.falseIncidents()) {
      falseIncidents
          .addObject()
          .put("id", incident.getId())
          .put("instance", incident.getInstance())
          .put("verdict", incident.getVerdict())
          .put("state", incident.getState().name())
          .put("rule", incident.getRule());
    }
    ArrayNode unmended = out.putArray("unmended");
    for (Injection.Standing injection : report.unmended()) {
      unmended
          .addObject()
          .put("instance", injection.instance())
          .put("kind", injection.tear().name())
          .put("verdict", injection.verdict())
          .put("state", injection.found() ? injection.state().name() : null);
    }
    ArrayNode discrepancies = out.putArray("discrepancies");
    for (Discrepancy discrepancy : report.discrepancies()) {
      discrepancies
          .addObject()
          .put("instance", discrepancy.instance())
          .put("torn", discrepancy.torn())
          .put("detail", discrepancy.detail());
    }
    ArrayNode problems = out.putArray("problems");
    report.problems().forEach(problems::add);
    return out.toString();
  }

  private static ObjectNode row(Report.Row row, ObjectNode out) {
    return out.put("injected", row.injected())
        .put("found", row.found())
        .put("repaired", row.repaired())
        .put("healed", row.healed())
        .put("left", row.left())
        .put("delayP50Millis", row.p50())
        .put("delayP99Millis", row.p99());
  }
}
