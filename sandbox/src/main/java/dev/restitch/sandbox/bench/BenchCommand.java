package dev.restitch.sandbox.bench;

import dev.restitch.sandbox.bench.drain.DrainOptions;
import dev.restitch.sandbox.bench.drain.JudgeSuite;
import dev.restitch.sandbox.bench.repair.RepairSuite;
import dev.restitch.sandbox.server.Lifetime;
import dev.restitch.sandbox.server.Scratch;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code restitch bench}: product and peers in turn, in one run; prints medians and spreads. */
@Command(
    name = "bench",
    description = "Measures Restitch beside its peers, in one run, on data with known answers.",
    mixinStandardHelpOptions = true)
public final class BenchCommand implements Callable<Integer> {

  private static final List<Suite> SUITES =
      List.of(
          new ReplaySuite(),
          new WatchSuite(),
          new SweepSuite(),
          new RepairSuite(),
          new JudgeSuite());

  @Spec private CommandSpec spec;

  @Option(
      names = "--suite",
      paramLabel = "NAME",
      split = ",",
      description = "What to measure: replay, watch, sweep, judge (default: all).")
  private List<String> names = List.of();

  @Option(
      names = "--rounds",
      defaultValue = "3",
      description = "How often each is run in turn (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--size",
      defaultValue = "0",
      description = "Transactions or keys, as the suite counts (default: the suite's own).")
  private long size;

  @Option(names = "--seed", defaultValue = "1", description = "Of all that is random.")
  private long seed;

  @Option(
      names = {"-o", "--output"},
      defaultValue = "table",
      description = "table or json (default: ${DEFAULT-VALUE}).")
  private Form form;

  @Mixin private DrainOptions drain;

  enum Form {
    TABLE,
    JSON
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (rounds < 1 || size < 0) {
      throw new ParameterException(
          spec.commandLine(), "--rounds must be 1 or more, and --size 0 or more");
    }
    try {
      drain.check();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    PrintWriter err = spec.commandLine().getErr();
    Map<Suite, List<Figure>> results = new LinkedHashMap<>();
    Set<String> versions = new TreeSet<>();
    for (Suite suite : chosen()) {
      err.println(suite.name() + ": " + suite.title());
      try (Lifetime lifetime = Lifetime.begin()) {
        Scratch folder = lifetime.own(Scratch.create("restitch-bench"));
        BenchRun run =
            new BenchRun(lifetime, folder.dir(), rounds, size, seed, err::println, versions, drain);
        results.put(suite, suite.run(run));
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    BenchReport.print(out, results, versions, form == Form.JSON);
    out.flush();
    return 0;
  }

  private List<Suite> chosen() {
    if (names.isEmpty()) {
      return SUITES;
    }
    TreeSet<String> unknown = new TreeSet<>(names);
    SUITES.forEach(s -> unknown.remove(s.name()));
    if (!unknown.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "unknown suite " + unknown + "; known are " + SUITES.stream().map(Suite::name).toList());
    }
    return SUITES.stream().filter(s -> names.contains(s.name())).toList();
  }
}
