package dev.restitch.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.restitch.config.RestitchConfig;
import dev.restitch.model.Bytes;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import dev.restitch.store.StoreException;
import dev.restitch.sweep.Fate;
import dev.restitch.sweep.SweepCounters;
import dev.restitch.sweep.SweepOnce;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code restitch sweep}: compares the sides of every instance now, straight from the stores. */
@Command(
    name = "sweep",
    description = {
      "Scans the stores, and prints the instances whose sides disagree, are missing or carry no"
          + " stamp, at a first look and again one settle time later.",
      "Needs no auditor, and writes nothing. What it prints is suspicious, and not yet convicted."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every instance with a stamp is whole",
      "1:an error",
      "2:wrong usage, or a configuration that cannot be read",
      "3:suspicious instances were found",
      "4:none was found, but some node or instance could not be read"
    })
final class SweepCommand implements Callable<Integer> {

  private static final List<String> QUIET =
      List.of("io.lettuce", "dev.restitch.store", "dev.restitch.sweep");

  @Spec private CommandSpec spec;
  @Mixin private ConfigOption config;
  @Mixin private OutputOption output;

  @Option(names = "--relation", paramLabel = "R", description = "Only this relation.")
  private String relation;

  @Option(
      names = "--prefix",
      paramLabel = "P",
      defaultValue = "",
      description = "Only instances with a key that begins so.")
  private String prefix;

  @Option(
      names = "--store",
      paramLabel = "S",
      description = "Scan this store only; the other sides are read where they are.")
  private String store;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Keys a second and store (default: sweep.gap-rate of the configuration).")
  private Integer rate;

  @Override
  public Integer call() throws InterruptedException {
    RestitchConfig loaded = config.load(spec);
    check("--relation", relation, loaded.relations().keySet());
    check("--store", store, loaded.stores().keySet());
    if (rate != null && rate < 1) {
      throw new ParameterException(spec.commandLine(), "--rate must be 1 or more");
    }
    QUIET.forEach(name -> ((Logger) LoggerFactory.getLogger(name)).setLevel(Level.ERROR));
    PrintWriter err = spec.commandLine().getErr();
    Map<String, StoreClient> stores;
    try {
      stores = StoreClients.openAll(loaded, "restitch-sweep");
    } catch (StoreException e) {
      err.println("error: " + e.getMessage());
      return ExitCodes.INCOMPLETE;
    }
    try {
      return sweep(loaded, stores, err);
    } finally {
      stores.values().forEach(StoreClient::close);
    }
  }

  private void check(String option, String name, Set<String> known) {
    if (name != null && !known.contains(name)) {
      throw new ParameterException(
          spec.commandLine(),
          option + ": there is no '" + name + "'; known are " + new TreeSet<>(known));
    }
  }

  private int sweep(RestitchConfig loaded, Map<String, StoreClient> stores, PrintWriter err)
      throws InterruptedException {
    SweepReport report = new SweepReport(spec.commandLine().getOut(), output.json());
    int keysPerSecond = rate == null ? loaded.sweep().gapRate() : rate;
    SweepOnce sweep =
        new SweepOnce(
            loaded,
            stores,
            new SweepOnce.Request(relation, Bytes.utf8(prefix), store, keysPerSecond),
            suspect -> {
              report.add(suspect);
              return CompletableFuture.completedFuture(null);
            });
    try (SweepProgress progress = new SweepProgress(err, sweep, System.console() != null)) {
      progress.start();
      sweep.run();
    }
    report.end();
    summarize(sweep, report.found(), err);
    if (report.found() > 0) {
      return ExitCodes.INCIDENTS;
    }
    boolean complete = sweep.unread().isEmpty() && sweep.counters().of(Fate.UNREADABLE) == 0;
    return complete ? ExitCodes.OK : ExitCodes.INCOMPLETE;
  }

  /** An instance may be compared by two stores at once, and is told once. */
  private static void summarize(SweepOnce sweep, long suspicious, PrintWriter err) {
    SweepCounters counted = sweep.counters();
    err.printf(
        "%d keys scanned, %d comparisons: %d suspicious, %d without any stamp, %d not"
            + " readable%n",
        counted.scanned(),
        counted.compared(),
        suspicious,
        counted.of(Fate.LEGACY),
        counted.of(Fate.UNREADABLE));
    for (String node : sweep.unread()) {
      err.println("not swept to its end: " + node);
    }
    err.flush();
  }
}
