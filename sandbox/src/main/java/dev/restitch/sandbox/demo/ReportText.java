package dev.restitch.sandbox.demo;

import dev.restitch.avro.Incident;
import dev.restitch.sandbox.workload.Discrepancy;
import dev.restitch.sandbox.workload.Injection;
import java.util.List;
import java.util.Locale;

/** The closing table, for people. */
final class ReportText {

  private static final int MOST_DETAILS = 20;
  private static final String LINE = "%-15s %8s %6s %6s %9s %7s %6s %10s %10s%n";

  private ReportText() {}

  static String of(Report report) {
    StringBuilder out = new StringBuilder();
    out.append(
        format(
            LINE,
            "tear",
            "injected",
            "found",
            "false",
            "repaired",
            "healed",
            "left",
            "delay p50",
            "delay p99"));
    for (Report.Row row : report.rows()) {
      boolean total = row.equals(report.total());
      out.append(
          format(
              LINE,
              row.kind(),
              row.injected(),
              row.found(),
              total ? report.falseIncidents().size() : "",
              row.repaired(),
              row.healed(),
              row.left(),
              row.found() == 0 ? "-" : row.p50() + " ms",
              row.found() == 0 ? "-" : row.p99() + " ms"));
    }
    out.append(
        format(
            "%d logical writes in %.1f s; seed %d; stores %s%n",
            report.written(),
            report.seconds(),
            report.seed(),
            report.discrepancies().isEmpty()
                ? "equal the truth"
                : "differ from the truth in " + report.discrepancies().size() + " instances"));
    if (report.slowWrites() > 0) {
      out.append(
          format(
              "%d writes took longer than the settle time on this machine; %d incidents about them"
                  + " are right, and not counted as false%n",
              report.slowWrites(), report.slowIncidents()));
    }
    details(report, out);
    out.append(report.passed() ? "PASSED" : "FAILED").append(System.lineSeparator());
    return out.toString();
  }

  private static void details(Report report, StringBuilder out) {
    some("false incident", report.falseIncidents().stream().map(ReportText::words).toList(), out);
    some("not mended", report.unmended().stream().map(ReportText::words).toList(), out);
    some("differs", report.discrepancies().stream().map(ReportText::words).toList(), out);
    some("problem", report.problems(), out);
  }

  private static void some(String what, List<String> all, StringBuilder out) {
    all.stream().limit(MOST_DETAILS).forEach(line -> out.append(format("%s: %s%n", what, line)));
    if (all.size() > MOST_DETAILS) {
      out.append(format("%s: and %d more%n", what, all.size() - MOST_DETAILS));
    }
  }

  static String words(Incident incident) {
    return format(
        "%s %s %s, version %s, %s",
        incident.getInstance(),
        incident.getVerdict(),
        incident.getState(),
        incident.getVersion(),
        incident.getRule());
  }

  private static String words(Injection.Standing injection) {
    return injection.found()
        ? format(
            "%s %s was found as %s and is %s",
            injection.instance(), injection.tear(), injection.verdict(), injection.state())
        : format("%s %s was not found", injection.instance(), injection.tear());
  }

  private static String words(Discrepancy discrepancy) {
    return discrepancy.instance() + " " + discrepancy.detail();
  }

  private static String format(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
