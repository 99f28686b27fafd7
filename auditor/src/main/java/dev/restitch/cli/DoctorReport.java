package dev.restitch.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.restitch.doctor.Finding;
import dev.restitch.doctor.Severity;
import java.io.PrintWriter;
import java.util.List;

/** Prints what the doctor found. */
final class DoctorReport {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<Finding> findings;

  DoctorReport(List<Finding> findings) {
    this.findings = List.copyOf(findings);
  }

  /** One object a line. */
  void json(PrintWriter out) {
    for (Finding f : findings) {
      ObjectNode line = JSON.createObjectNode();
      line.put("check", f.check())
          .put("where", f.where())
          .put("severity", f.severity().label())
          .put("finding", f.what());
      if (f.mend() != null) {
        line.put("mend", f.mend());
      }
      if (f.changed() != null) {
        line.put("changed", f.changed());
      }
      out.println(line);
    }
  }

  /** A table of all, then what mends each that is not as it should be, ready to be copied. */
  void table(PrintWriter out) {
    Table table = new Table("SEVERITY", "CHECK", "WHERE", "FINDING");
    for (Finding f : findings) {
      String changed = f.changed() == null ? "" : " (changed: " + f.changed() + ")";
      table.row(f.severity().label(), f.check(), f.where(), f.what() + changed);
    }
    table.print(out);
    for (Finding f : findings) {
      if (f.severity() != Severity.OK && f.mend() != null) {
        out.printf("%n# %s, %s%n%s%n", f.where(), f.check(), f.mend());
      }
    }
  }

  String summary() {
    return count(Severity.OK)
        + " ok, "
        + count(Severity.WARNING)
        + " warning(s), "
        + count(Severity.ERROR)
        + " error(s)";
  }

  int exitCode() {
    return count(Severity.ERROR) > 0
        ? ExitCodes.ERROR
        : count(Severity.WARNING) > 0 ? ExitCodes.INCOMPLETE : ExitCodes.OK;
  }

  private long count(Severity severity) {
    return findings.stream().filter(f -> f.severity() == severity).count();
  }
}
