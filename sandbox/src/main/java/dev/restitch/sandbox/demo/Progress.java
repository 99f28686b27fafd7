package dev.restitch.sandbox.demo;

import dev.restitch.avro.Incident;
import dev.restitch.sandbox.workload.Injection;
import dev.restitch.sandbox.workload.Tear;
import dev.restitch.sandbox.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the live view shows of a run. */
record Progress(Workload workload, Services services, int acts, long startNanos) {

  private static final int BAR = 30;

  List<String> lines() {
    List<Injection.Standing> injections = workload.ledger().injections();
    long found = injections.stream().filter(Injection.Standing::found).count();
    long mended = injections.stream().filter(Injection.Standing::mended).count();
    int wrong = workload.ledger().falseIncidents().size();
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    List<String> lines = new ArrayList<>();
    lines.add(
        format(
            "%5.1f s  %d writes (%.0f/s)  torn %d  found %d  mended %d  false %d",
            seconds,
            workload.written(),
            workload.written() / seconds,
            injections.size(),
            found,
            mended,
            wrong));
    int full = (int) ((long) workload.issued() * BAR / Math.max(1, acts));
    lines.add("  [" + "#".repeat(full) + ".".repeat(BAR - full) + "]" + serviceLine());
    for (Tear tear : Tear.values()) {
      List<Injection.Standing> some = injections.stream().filter(i -> i.tear() == tear).toList();
      lines.add(
          format(
              "  %-15s torn %3d  found %3d  mended %3d",
              tear,
              some.size(),
              some.stream().filter(Injection.Standing::found).count(),
              some.stream().filter(Injection.Standing::mended).count()));
    }
    for (Incident incident : workload.ledger().latest()) {
      lines.add(
          format(
              "  %-12s %-17s %s",
              incident.getInstance(), incident.getVerdict(), incident.getState()));
    }
    return lines;
  }

  private String serviceLine() {
    StringBuilder line = new StringBuilder();
    for (ServiceProcess service : services.all()) {
      line.append("  ").append(service.name()).append(service.alive() ? " runs" : " DOWN");
    }
    return line.toString();
  }

  private static String format(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
