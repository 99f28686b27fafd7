package dev.restitch.sandbox.simulation;

import dev.restitch.avro.Done;
import dev.restitch.avro.EvidenceSource;
import dev.restitch.avro.Intent;
import dev.restitch.avro.Reading;
import dev.restitch.avro.RepairCommand;
import dev.restitch.avro.RepairOutcome;
import dev.restitch.avro.Snapshot;
import dev.restitch.config.RelationConfig;
import dev.restitch.config.Relations;
import dev.restitch.config.RepairPolicyConfig.Policy;
import dev.restitch.judge.Decision;
import dev.restitch.kafka.DeadLetters;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.sandbox.simulation.Judging.Feed;
import dev.restitch.stamp.Stamp;
import dev.restitch.topology.JudgeRecords;
import dev.restitch.worker.policy.Mappings;
import dev.restitch.worker.truth.Truth;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** All that there is in one schedule, and how it goes on until it comes to rest. */
final class World {

  private static final int MOST_STEPS = 8_000;
  private static final Mappings MAPPINGS = new Mappings(Setting.CONFIG.relations().values());

  final Scheduler scheduler;
  final Plan plan;
  final Set<Mutation> mutations;
  final Totals totals = new Totals();
  final Relations relations = Setting.CONFIG.resolver();
  final Mappings mappings = MAPPINGS;
  final Actor network = new Actor("network");
  final Map<String, Store> stores = new LinkedHashMap<>();
  final TruthTable truth = new TruthTable();
  final List<Judging> judgings = new ArrayList<>();
  final List<Client> clients = new ArrayList<>();
  boolean failedOver;
  final Set<String> killed = new HashSet<>();
  final Referee referee;
  final Group group;
  final Prober prober;
  final Watcher watcher;
  final DeadLetters letters =
      new DeadLetters(
          new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()),
          "dead-letters",
          "simulation");
  private long activeAt;
  private long work;
  private final List<Countdown> countdown = new ArrayList<>();

  private record Countdown(long at, Runnable what) {}

  World(long seed, Story story, Set<Mutation> mutations) {
    this.scheduler = new Scheduler(seed, story);
    this.plan = Plan.of(scheduler.random);
    this.mutations = mutations;
    this.referee = new Referee(this);
    for (String name : Setting.CONFIG.stores().keySet()) {
      stores.put(name, new Store(name, scheduler, this::changed));
    }
    this.prober =
        new Prober(
            scheduler, stores, (instance, answer) -> of(instance).append(Feed.SNAPSHOTS, answer));
    this.watcher =
        new Watcher(
            scheduler,
            stores,
            (key, observation) -> {
              referee.recorded(observation.getReading());
              relations
                  .resolve(key.store(), key.key())
                  .ifPresent(s -> of(s.instance()).append(Feed.OBSERVATIONS, observation));
            },
            gap -> judgings.forEach(j -> j.append(Feed.GAPS, gap)),
            store -> judgings.forEach(this::sweep));
    RelationConfig relation = relations.named(plan.relation()).orElseThrow();
    String instance = relation.name() + "/1";
    judgings.add(new Judging(scheduler, relation, instance, 0, d -> decided(judgings.get(0), d)));
    this.group = new Group(judgings.size());
    if (plan.begun()) {
      begin(relation, instance);
    }
    for (int i = 0; i < plan.transactions(); i++) {
      double deletes = i > 0 && !plan.begun() ? 0.5 : 0.15;
      Client client = new Client(this, "t" + (i + 1), relation, instance, deletes);
      clients.add(client);
      if (i > 0 && scheduler.chance(0.5)) {
        afterWork(
            scheduler.from(1, scheduler.chance(0.5) ? 6 : 24), () -> client.start(scheduler.now()));
        scheduler.at(scheduler.now() + 1500, network, () -> client.start(scheduler.now()));
      } else {
        client.start(scheduler.now() + scheduler.from(0, 900));
      }
    }
    new Mishaps(this).plan();
  }

  /** The instance stands, whole, and has been seen. */
  private void begin(RelationConfig relation, String instance) {
    long version =
        relation
            .counterOf(instance)
            .map(counter -> stores.get(counter.store()).next(counter, 0))
            .orElse(scheduler.now());
    Stamp stamp = new Stamp(version, Bytes.utf8("t0"));
    Author owner = new Author.Owner("t0");
    List<Optional<Bytes>> row = new ArrayList<>();
    for (StoreKey key : relation.keysOf(instance)) {
      Bytes payload = Client.payload(relation, "t0", key);
      row.add(Optional.of(payload));
      stores.get(key.store()).put(key, new Value(stamp, payload, -1, owner));
    }
    truth.commit(instance, new TruthTable.Row(version, "t0", row), false);
    relation
        .markerOf(instance, stamp.token())
        .ifPresent(marker -> stores.get(marker.store()).mark(marker, owner));
  }

  /** Goes on until nothing more will happen by itself; says what is wrong, empty: nothing. */
  List<String> run() {
    while (!atRest()) {
      if (scheduler.steps() > MOST_STEPS) {
        referee.violated("it does not come to rest within " + MOST_STEPS + " steps");
        break;
      }
      try {
        if (!referee.violations().isEmpty() || !scheduler.step()) {
          break;
        }
      } catch (RuntimeException e) {
        referee.violated("it fails with " + e + " at " + e.getStackTrace()[0]);
      }
    }
    if (referee.violations().isEmpty()) {
      referee.atRest();
    }
    if (!failedOver
        && referee.violations().isEmpty()
        && judgings.stream().allMatch(j -> j.open() == null)) {
      countdown.clear(); // no more mishaps
      new Replayed(this).check();
    }
    totals.end(this);
    return referee.violations();
  }

  private boolean atRest() {
    // a judge that has just started waits fifteen seconds for a first record
    long quiet = 16_000 + 4 * relations.named(plan.relation()).orElseThrow().patience().toMillis();
    return scheduler.now() - activeAt > quiet
        && clients.stream().allMatch(c -> c.finished || !c.started)
        && group.idle();
  }

  /** Something happened that more may follow from. */
  void active() {
    activeAt = scheduler.now();
  }

  /** Does something after so many commands of workers from now on. */
  void afterWork(int commands, Runnable what) {
    countdown.add(new Countdown(work + commands, what));
  }

  /** A worker's command has been carried out. */
  void worked() {
    work++;
    countdown.removeIf(
        c -> {
          if (c.at() <= work) {
            scheduler.at(scheduler.now(), network, c.what());
          }
          return c.at() <= work;
        });
  }

  /** A sweep reads what nobody has asked for: of what was first written in a gap nothing tells. */
  private void sweep(Judging judging) {
    RelationConfig relation = relations.ofInstance(judging.instance).orElseThrow();
    List<Reading> sides =
        relation.keysOf(judging.instance).stream()
            .map(key -> Looks.side(stores.get(key.store()), key))
            .toList();
    active();
    sides.forEach(referee::recorded);
    judging.append(
        Feed.SNAPSHOTS,
        Snapshot.newBuilder()
            .setInstance(judging.instance)
            .setSource(EvidenceSource.SWEEP)
            .setStable(true)
            .setSides(sides)
            .setTakenAtMillis(scheduler.now())
            .build());
  }

  private void changed(StoreKey key, Value before, Value after, Author by, String event) {
    active();
    referee.changed(key, before, after, by);
    if (relations.resolve(key.store(), key.key()).isPresent()) {
      watcher.notified(key, event);
    }
  }

  /** What stands on a key; null: nothing. */
  Value value(StoreKey key) {
    return stores.get(key.store()).get(key);
  }

  Judging of(String instance) {
    return judgings.stream().filter(j -> j.instance.equals(instance)).findFirst().orElseThrow();
  }

  /** A record comes to stand in the topic that carries it. */
  void append(String instance, SpecificRecord record, String by) {
    active();
    scheduler.tell(by, () -> record.getClass().getSimpleName() + " is recorded");
    if (record instanceof Intent || record instanceof Done) {
      of(instance).append(Feed.INTENTS, record);
    } else if (record instanceof RepairOutcome outcome) {
      totals.outcome(outcome.getOutcome());
      of(instance).append(Feed.OUTCOMES, record);
    } else {
      throw new IllegalArgumentException(record.getClass().getSimpleName());
    }
  }

  private void decided(Judging judging, Decision decision) {
    if (decision instanceof Decision.Ask ask) {
      scheduler.tell(judging.actor, () -> Words.of(ask));
      prober.ask(JudgeRecords.probe(ask));
    } else if (decision instanceof Decision.IncidentChanged changed) {
      scheduler.tell(
          judging.actor,
          () -> "incident " + changed.incident().verdict + " " + changed.incident().phase);
      referee.incident(changed.incident());
    } else if (decision instanceof Decision.Repair repair) {
      RepairCommand command = JudgeRecords.command(repair);
      if (mutations.contains(Mutation.ID_WITHOUT_STAMPS)) {
        command.setId(repair.incident() + repair.generation() + repair.policy());
      }
      scheduler.tell(judging.actor, () -> Words.of(command));
      active();
      referee.commanded(command);
      group.append(judging.partition, command);
    }
  }

  boolean hasTruth(RelationConfig relation) {
    return relation.repair().stream().anyMatch(p -> p.policy() == Policy.SOURCE_OF_TRUTH);
  }

  Truth truthOf(String instance) {
    RelationConfig relation = relations.ofInstance(instance).orElseThrow();
    return new Truth(
        truth
            .now(instance)
            .map(TruthTable.Row::payloads)
            .orElseGet(
                () -> relation.sides().stream().map(side -> Optional.<Bytes>empty()).toList()));
  }

  String truthWord(String instance) {
    return truth.now(instance).map(TruthTable.Row::transaction).orElse("nobody");
  }
}
