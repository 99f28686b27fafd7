package dev.restitch.sandbox.demo;

import dev.restitch.config.Durations;
import dev.restitch.sandbox.server.Lifetime;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code restitch demo}. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Shows torn writes found and mended, on servers that it brings along: Kafka, two Redis"
          + " primaries, PostgreSQL, a schema registry; auditor and repair worker as processes of"
          + " their own.",
      "Exits with 0 only if every tear made on purpose was found, nothing else was, and every store"
          + " equals the truth. Leaves no process and no folder behind."
    })
public final class DemoCommand implements Callable<Integer> {

  enum Output {
    TABLE,
    JSON
  }

  @Spec private CommandSpec spec;

  @Option(
      names = "--rate",
      defaultValue = "1000",
      description = "logical writes a second (default: ${DEFAULT-VALUE})")
  private int rate;

  @Option(
      names = "--duration",
      defaultValue = "30s",
      converter = DurationConverter.class,
      description = "of the workload, such as 30s or 5m (default: ${DEFAULT-VALUE})")
  private Duration duration;

  @Option(
      names = "--tear-rate",
      defaultValue = "0.002",
      description = "share of the writes that are torn on purpose (default: ${DEFAULT-VALUE})")
  private double tearRate;

  @Option(
      names = "--seed",
      description = "what all chance comes from (default: another one each time)")
  private Long seed;

  @Option(
      names = "--instances",
      defaultValue = "1000",
      description = "instances of each of the three relations (default: ${DEFAULT-VALUE})")
  private int instances;

  @Option(
      names = "--kill",
      split = ",",
      paramLabel = "SERVICE",
      description = "auditor, worker or both: ended with SIGKILL half-way, and started again")
  private Set<String> kill = new TreeSet<>();

  @Option(
      names = "--patience",
      defaultValue = "60s",
      converter = DurationConverter.class,
      description =
          "how long the end waits for tears that are not yet mended (default: ${DEFAULT-VALUE})")
  private Duration patience;

  @Option(
      names = "--keep-running",
      description = "keep servers and services up afterwards, until interrupted")
  private boolean keepRunning;

  @Option(
      names = "--logs",
      paramLabel = "FOLDER",
      description = "keep the services' logs here (default: they go with the temporary folder)")
  private Path logs;

  @Option(
      names = {"-o", "--output"},
      defaultValue = "table",
      description = "table or json, on stdout (default: ${DEFAULT-VALUE})")
  private Output output;

  @Override
  public Integer call() throws Exception {
    DemoOptions options = options();
    PrintStream progress = System.err;
    try (Lifetime lifetime = Lifetime.begin();
        LiveView view = new LiveView(progress, onTerminal())) {
      lifetime.own(view);
      Demo demo = new Demo(options, lifetime, view);
      Report report;
      try {
        report = demo.run();
      } catch (Exception e) {
        if (lifetime.ending()) {
          return CommandLine.ExitCode.SOFTWARE; // the JVM ends by a signal, which decides the code
        }
        throw e;
      }
      view.close();
      String result = output == Output.JSON ? ReportJson.of(report) : ReportText.of(report);
      spec.commandLine().getOut().println(result.stripTrailing());
      spec.commandLine().getOut().flush();
      if (keepRunning) {
        demo.addresses().forEach(progress::println);
        progress.println("running until interrupted (Ctrl-C)");
        new CountDownLatch(1).await();
      }
      return report.passed() ? CommandLine.ExitCode.OK : 1;
    }
  }

  private DemoOptions options() {
    check(rate >= 1 && rate <= 100_000, "--rate is from 1 to 100000");
    check(tearRate >= 0 && tearRate <= 0.2, "--tear-rate is a share from 0 to 0.2");
    check(!duration.isZero(), "--duration is longer than nothing");
    check(instances >= 10 && instances <= 99_999, "--instances is from 10 to 99999");
    for (String service : kill) {
      check(
          Services.NAMES.contains(service),
          "--kill knows " + String.join(" and ", Services.NAMES) + ", not " + service);
    }
    DemoOptions options =
        new DemoOptions(
            rate,
            duration,
            tearRate,
            seed == null ? ThreadLocalRandom.current().nextInt(1, 1_000_000) : seed,
            instances,
            kill,
            patience,
            logs);
    // the relation of payments alone suits three kinds of tears in five, and is torn once at most
    check(
        options.tears() <= instances / 2,
        String.format(
            Locale.ROOT,
            "%d tears are too many for %d instances; lower --tear-rate or give more --instances",
            options.tears(),
            instances));
    return options;
  }

  private void check(boolean right, String message) {
    if (!right) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }

  /** The launcher knows whether stderr is a terminal; this JVM only knows of stdin and stdout. */
  @SuppressWarnings("SystemConsoleNull") // from Java 22 on the launcher's word is needed
  private static boolean onTerminal() {
    String told = System.getProperty("restitch.terminal");
    boolean terminal = told == null ? System.console() != null : Boolean.parseBoolean(told);
    return terminal && !List.of("", "dumb").contains(System.getenv().getOrDefault("TERM", ""));
  }

  /** Durations as the configuration writes them. */
  static final class DurationConverter implements CommandLine.ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      try {
        return Durations.parse(text);
      } catch (IllegalArgumentException e) {
        throw new CommandLine.TypeConversionException(e.getMessage());
      }
    }
  }
}
