package dev.restitch.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.restitch.config.RestitchConfig;
import dev.restitch.doctor.Doctor;
import dev.restitch.doctor.Finding;
import dev.restitch.doctor.Treatment;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code restitch doctor}: what stands in the audit's way, and the command that mends it. */
@Command(
    name = "doctor",
    description = {
      "Examines stores, Kafka, the schema registry and the sources of truth: what stands in the"
          + " audit's way, what that means, and the command that mends it.",
      "Nothing is changed without --apply, which adds missing notification flags and makes missing"
          + " topics, and logs each change with its owner and cause."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:everything is as it should be",
      "1:an error: the audit cannot do its work",
      "2:wrong usage, or a configuration that cannot be read",
      "4:warnings only: the audit runs, but may miss something"
    })
final class DoctorCommand implements Callable<Integer> {

  /** What these would say is a finding here. */
  private static final List<String> QUIET =
      List.of("org.apache.kafka", "io.lettuce", "dev.restitch.store", "dev.restitch.topic");

  @Spec private CommandSpec spec;
  @Mixin private ConfigOption config;
  @Mixin private OutputOption output;

  @Option(names = "--apply", description = "Mend what can be mended without harm.")
  private boolean apply;

  @Option(names = "--owner", paramLabel = "NAME", description = "Who changes; with --apply.")
  private String owner;

  @Option(names = "--cause", paramLabel = "TEXT", description = "Why; with --apply.")
  private String cause;

  @Override
  public Integer call() throws InterruptedException {
    Treatment treatment = treatment();
    RestitchConfig loaded = config.load(spec);
    QUIET.forEach(name -> ((Logger) LoggerFactory.getLogger(name)).setLevel(Level.ERROR));
    PrintWriter err = spec.commandLine().getErr();
    List<Finding> findings =
        new Doctor(
                loaded,
                treatment,
                step -> {
                  err.println(step + " ...");
                  err.flush();
                })
            .examine();
    DoctorReport report = new DoctorReport(findings);
    PrintWriter out = spec.commandLine().getOut();
    if (output.json()) {
      report.json(out);
    } else {
      report.table(out);
    }
    out.flush();
    err.println(report.summary());
    err.flush();
    return report.exitCode();
  }

  /** Null unless something may be changed. */
  private Treatment treatment() {
    if (!apply) {
      return null;
    }
    if (owner == null || owner.isBlank() || cause == null || cause.isBlank()) {
      throw new ParameterException(
          spec.commandLine(), "--apply needs --owner NAME and --cause TEXT: who changes, and why");
    }
    return new Treatment(owner, cause);
  }
}
