package dev.restitch.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.restitch.check.Checked;
import dev.restitch.check.Checked.Result;
import dev.restitch.check.KeyCheck;
import dev.restitch.config.RelationConfig;
import dev.restitch.config.Relations;
import dev.restitch.config.RestitchConfig;
import dev.restitch.config.SideConfig;
import dev.restitch.probe.DoubleCollect;
import dev.restitch.read.SideReader;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import dev.restitch.store.StoreException;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code restitch check}: all sides of the instances of some keys, now. */
@Command(
    name = "check",
    description = {
      "Reads all sides of each key's instance now, twice as the prober does, and says whether they"
          + " are whole or torn, and why.",
      "What disagrees is read again one settle time later, as a write may be under way. Reads the"
          + " stores only, needs no auditor, and writes nothing."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every instance is whole",
      "1:an error",
      "2:wrong usage, a configuration that cannot be read, or a key of no relation",
      "3:an instance is torn",
      "4:none is torn, but for some nothing can be said"
    })
final class CheckCommand implements Callable<Integer> {

  private static final List<String> QUIET =
      List.of("io.lettuce", "dev.restitch.store", "dev.restitch.probe");

  @Spec private CommandSpec spec;
  @Mixin private ConfigOption config;
  @Mixin private OutputOption output;

  @Parameters(
      paramLabel = "KEY",
      arity = "1..*",
      description =
          "Keys of sides, also as store/key; or instances, such as user/123. Bytes that are no text"
              + " as \\xff.")
  private List<String> keys;

  @Option(
      names = "--once",
      description = "Do not look again: what disagrees is undecided, and the answer comes at once.")
  private boolean once;

  @Override
  public Integer call() throws InterruptedException {
    RestitchConfig loaded = config.load(spec);
    Relations relations = loaded.resolver();
    Set<String> instances = new LinkedHashSet<>();
    for (String key : keys) {
      try {
        instances.addAll(new KeyNames(relations).instances(key));
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), e.getMessage(), e);
      }
    }
    QUIET.forEach(name -> ((Logger) LoggerFactory.getLogger(name)).setLevel(Level.ERROR));
    Map<String, StoreClient> stores = new LinkedHashMap<>();
    try {
      for (String store : needed(relations, instances)) {
        stores.put(store, StoreClients.open(loaded.stores().get(store), "restitch-check"));
      }
      return check(relations, instances, stores);
    } catch (StoreException e) {
      spec.commandLine().getErr().println("error: " + e.getMessage());
      return ExitCodes.INCOMPLETE;
    } finally {
      stores.values().forEach(StoreClient::close);
    }
  }

  private static Set<String> needed(Relations relations, Set<String> instances) {
    Set<String> stores = new TreeSet<>();
    for (String instance : instances) {
      RelationConfig relation = relations.ofInstance(instance).orElseThrow();
      relation.sides().stream().map(SideConfig::store).forEach(stores::add);
      if (relation.marker() != null) {
        stores.add(relation.marker().store());
      }
    }
    return stores;
  }

  private int check(Relations relations, Set<String> instances, Map<String, StoreClient> stores)
      throws InterruptedException {
    Clock clock = Clock.systemUTC();
    DoubleCollect collect = new DoubleCollect(relations, new SideReader(stores, clock), clock);
    List<Checked> all = new KeyCheck(relations, collect, clock, once).check(instances);
    CheckReport report = new CheckReport(spec.commandLine().getOut(), relations);
    all.forEach(output.json() ? report::json : report::text);
    spec.commandLine().getOut().flush();
    if (all.stream().anyMatch(c -> c.result() == Result.TORN)) {
      return ExitCodes.INCIDENTS;
    }
    boolean whole = all.stream().allMatch(c -> c.result() == Result.WHOLE);
    return whole ? ExitCodes.OK : ExitCodes.INCOMPLETE;
  }
}
