package dev.restitch.sandbox.eyes;

import dev.restitch.sandbox.server.Lifetime;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code restitch chaos}. */
@Command(
    name = "chaos",
    mixinStandardHelpOptions = true,
    description = {
      "Blinds an auditor in every way it knows, under load, on servers that it brings along: a"
          + " cluster with replicas, independent primaries, Kafka.",
      "Exits with 0 only if nothing torn was missed, nothing false was declared, every gap was"
          + " told, and every notification is accounted for."
    })
public final class ChaosCommand implements Callable<Integer> {

  enum Form {
    TABLE,
    JSON
  }

  @Spec private CommandSpec spec;

  @Option(
      names = "--fault",
      paramLabel = "NAME",
      split = ",",
      description = "What to do, in this order, such as primary-killed (default: everything).")
  private List<String> names = List.of();

  @Option(
      names = "--rate",
      defaultValue = "100",
      description = "Logical writes a second (default: ${DEFAULT-VALUE}).")
  private int rate;

  @Option(
      names = "--tear-rate",
      defaultValue = "0.05",
      description = "Share of the writes that is torn on purpose (default: ${DEFAULT-VALUE}).")
  private double tearShare;

  @Option(names = "--seed", defaultValue = "1", description = "Of all that is random.")
  private long seed;

  @Option(
      names = {"-o", "--output"},
      defaultValue = "table",
      description = "table or json (default: ${DEFAULT-VALUE}).")
  private Form form;

  @Override
  public Integer call() throws Exception {
    if (rate < 1 || rate > 2_000 || tearShare <= 0 || tearShare > 1) {
      throw new ParameterException(
          spec.commandLine(), "--rate is from 1 to 2000, --tear-rate above 0 and up to 1");
    }
    Plan plan = new Plan(faults(), rate, tearShare, Duration.ofSeconds(2), seed);
    try (Lifetime lifetime = Lifetime.begin()) {
      List<Row> rows = new EyesChaos(plan, lifetime, spec.commandLine().getErr()::println).run();
      PrintWriter out = spec.commandLine().getOut();
      out.print(form == Form.JSON ? ChaosReport.json(rows) : ChaosReport.table(rows));
      out.flush();
      return rows.stream().allMatch(Row::right) ? CommandLine.ExitCode.OK : 1;
    }
  }

  private List<Fault> faults() {
    return names.isEmpty() ? List.of(Fault.values()) : names.stream().map(this::fault).toList();
  }

  private Fault fault(String name) {
    return Arrays.stream(Fault.values())
        .filter(fault -> fault.title().equals(name.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "unknown fault "
                        + name
                        + "; known are "
                        + Arrays.stream(Fault.values()).map(Fault::title).toList()));
  }
}
