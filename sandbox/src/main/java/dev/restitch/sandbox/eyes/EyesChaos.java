package dev.restitch.sandbox.eyes;

import dev.restitch.avro.Coverage;
import dev.restitch.avro.Gap;
import dev.restitch.avro.Incident;
import dev.restitch.config.RestitchConfig;
import dev.restitch.registry.SchemaRegistries;
import dev.restitch.sandbox.eyes.Tape.Said;
import dev.restitch.sandbox.server.FaultProxy;
import dev.restitch.sandbox.server.Lifetime;
import dev.restitch.sandbox.server.Scratch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Does one fault after another to the same servers and the same auditor, under a load that tears a
 * known share of its writes, and compares what was declared with what stands in the stores. While
 * faults are done that become gaps, the sweep of everything is off: what no notification told can
 * only be found by what follows a gap.
 */
final class EyesChaos {

  /** A load of more writes than any fault lasts. */
  private static final int MOST_SECONDS = 25;

  private static final long QUIET_MILLIS = 1_500;

  /** What is not declared by then counts as missed; long, so that a slow machine is no miss. */
  private static final long PATIENCE_MILLIS = 60_000;

  /** For what is false to come, after all that is right has: a deadline, a probe, its answer. */
  private static final long FALSE_MILLIS = Plan.SETTLE.toMillis() + 2_000;

  private final Plan plan;
  private final Consumer<String> progress;
  private final Servers servers;
  private final Data data;
  private final Auditor auditor;
  private final World world;
  private final Set<String> known = new HashSet<>();
  private final Set<String> judged = new HashSet<>();
  private final Set<String> excused = new HashSet<>();
  private final List<String> ids = new ArrayList<>();
  private Tape tape;
  private boolean background;
  private int runs;

  /** Starts the servers; they end with the lifetime. */
  EyesChaos(Plan plan, Lifetime lifetime, Consumer<String> progress) throws Exception {
    this.plan = plan;
    this.progress = progress;
    Scratch scratch = lifetime.own(Scratch.create("restitch-chaos-"));
    progress.accept("starting Kafka, a cluster with replicas, independent primaries, an auditor");
    servers = new Servers(lifetime, scratch, plan.seed());
    data = lifetime.own(new Data(servers));
    auditor = lifetime.own(new Auditor(servers, scratch));
    world = new World(servers, data, auditor);
    auditor.start(false);
    awaitSettled();
    RestitchConfig config = auditor.config(false);
    tape = lifetime.own(new Tape(config, SchemaRegistries.open(config.registry())));
  }

  /** Does all faults of the plan, in order. */
  List<Row> run() throws Exception {
    List<Row> rows = new ArrayList<>();
    for (Fault fault : plan.faults()) {
      if (fault.background() != background) {
        background = fault.background();
        auditor.stop();
        auditor.start(background);
        awaitSettled();
      }
      Row row = run(fault);
      progress.accept(fault.title() + (row.right() ? ": right" : ": WRONG"));
      rows.add(row);
    }
    return rows;
  }

  private Row run(Fault fault) throws Exception {
    Load load = new Load(data, plan, fault.title() + ++runs, plan.rate() * MOST_SECONDS);
    load.prepare();
    ids.addAll(load.ids());
    world.load(load);
    world.pause(Plan.SETTLE.toMillis());
    awaitSettled();
    tape.read();
    long lostBefore = lost();
    load.start();
    world.pause(plan.before().toMillis());
    world.struckNow();
    long struck = world.struckMillis();
    fault.strike(world);
    world.pause(plan.before().toMillis());
    load.stop();
    excused.addAll(load.slow());
    Set<String> torn = awaitFound(fault, struck);
    Row row = row(fault, load, struck, torn, lost() - lostBefore);
    servers.all().forEach(server -> server.proxy().lose(0));
    known.addAll(torn);
    return row;
  }

  private long lost() {
    return servers.all().stream().map(Server::proxy).mapToLong(FaultProxy::lost).sum();
  }

  /** Waits for the gaps, for their sweeps, and then for the verdicts. */
  private Set<String> awaitFound(Fault fault, long struck) throws Exception {
    if (fault.gap()) {
      world.await(
          () -> {
            tape.read();
            return !Verdicts.gapsSince(tape, struck).isEmpty();
          },
          "no gap was told");
    }
    awaitSettled();
    Set<String> torn = data.torn(ids);
    torn.removeAll(known);
    long deadline = System.currentTimeMillis() + PATIENCE_MILLIS;
    do {
      world.pause(100);
      tape.read();
    } while (System.currentTimeMillis() < deadline
        && !Verdicts.declared(tape).keySet().containsAll(torn));
    // what is false may still come
    world.pause(FALSE_MILLIS);
    awaitSettled();
    tape.read();
    return torn;
  }

  /** Waits until all is watched, told, swept and published, and stays so for a moment. */
  private void awaitSettled() throws Exception {
    long[] since = {Long.MAX_VALUE};
    world.await(
        () -> {
          long now = System.currentTimeMillis();
          since[0] = auditor.view().settled() ? Math.min(since[0], now) : Long.MAX_VALUE;
          return now - since[0] >= QUIET_MILLIS && since[0] != Long.MAX_VALUE;
        },
        "the auditor did not come to rest");
  }

  private Row row(Fault fault, Load load, long struck, Set<String> torn, long lost) {
    Map<String, Said<Incident>> declared = Verdicts.declared(tape);
    int[] found = new int[Way.values().length];
    Set<String> missed = new TreeSet<>();
    List<Long> times = new ArrayList<>();
    for (String id : torn) {
      Said<Incident> incident = declared.get(id);
      if (incident == null) {
        missed.add(id);
        continue;
      }
      // what was not torn on purpose was torn by the fault
      Long began = load.startedMillis(id);
      boolean purpose = load.torn().contains(id) && began != null;
      long since = purpose ? began : world.struckMillis();
      found[Verdicts.way(tape, id, since, incident).ordinal()]++;
      if (!load.unanswered().contains(id)) {
        times.add(incident.atMillis() - since);
      }
    }
    times.sort(null);
    Set<String> wrong = new TreeSet<>(declared.keySet());
    wrong.removeAll(torn);
    wrong.removeAll(known);
    wrong.removeAll(excused);
    wrong.removeAll(load.torn()); // torn until the fault undid it
    wrong.removeAll(load.unanswered()); // perhaps torn for a while
    wrong.removeAll(judged);
    judged.addAll(declared.keySet());
    List<Gap> gaps = Verdicts.gapsSince(tape, struck);
    Map<String, Coverage> marks = Verdicts.marks(tape);
    return new Row(
        fault,
        load.writes(),
        torn.size(),
        found,
        missed,
        wrong,
        times,
        gaps.size(),
        gaps.stream().map(Gap::getWhy).collect(Collectors.toCollection(TreeSet::new)),
        lost,
        marks.values().stream().mapToLong(Coverage::getReceived).sum(),
        Verdicts.unbalanced(marks));
  }
}
