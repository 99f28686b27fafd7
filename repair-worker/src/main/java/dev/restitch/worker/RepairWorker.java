package dev.restitch.worker;

import dev.restitch.avro.Policy;
import dev.restitch.config.RestitchConfig;
import dev.restitch.control.ControlBook;
import dev.restitch.kafka.DeadLetters;
import dev.restitch.store.StoreClient;
import dev.restitch.worker.apply.ServerSides;
import dev.restitch.worker.apply.Servers;
import dev.restitch.worker.apply.SideStore;
import dev.restitch.worker.apply.StoreVersions;
import dev.restitch.worker.command.CommandService;
import dev.restitch.worker.command.OutcomeCounts;
import dev.restitch.worker.command.PartitionShare;
import dev.restitch.worker.command.Timer;
import dev.restitch.worker.guard.GenerationCap;
import dev.restitch.worker.guard.Guard;
import dev.restitch.worker.guard.Limits;
import dev.restitch.worker.guard.RatePermits;
import dev.restitch.worker.policy.AcceptNewest;
import dev.restitch.worker.policy.Mappings;
import dev.restitch.worker.policy.MarkAgain;
import dev.restitch.worker.policy.RepairPolicy;
import dev.restitch.worker.policy.RewriteIntents;
import dev.restitch.worker.policy.RollForward;
import dev.restitch.worker.policy.SourceOfTruth;
import dev.restitch.worker.truth.IntentSource;
import dev.restitch.worker.truth.PayloadSource;
import dev.restitch.worker.truth.TruthSource;
import dev.restitch.writer.io.Outbox;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.Deserializer;

/** A repair worker: put together from its peers, which stay their owner's. Thread-safe. */
public final class RepairWorker implements AutoCloseable {

  /**
   * What a worker works with.
   *
   * @param stores every store, by name
   * @param sources every source of truth, by name
   * @param intents where roll-forward finds payloads
   * @param payloads fetches the payloads that intents refer to
   * @param commands consumer of the worker's group; closed with the worker
   * @param records reads commands
   * @param producer of outcomes and intents
   * @param name the worker's name, for outcomes, intents and log
   */
  public record Peers(
      RestitchConfig config,
      Map<String, StoreClient> stores,
      Map<String, ? extends TruthSource> sources,
      IntentSource intents,
      PayloadSource payloads,
      Consumer<String, byte[]> commands,
      Deserializer<SpecificRecord> records,
      Producer<String, SpecificRecord> producer,
      DeadLetters deadLetters,
      String name,
      Clock clock,
      Controls controls) {}

  /**
   * What holds the worker back.
   *
   * @param book what is set; kept by its owner, who calls {@link RepairWorker#controlsChanged}
   * @param dryRun true: nothing is written, whatever is set
   */
  public record Controls(ControlBook book, boolean dryRun) {}

  /** Intents that wait for the producer at most. */
  private static final int CAPACITY = 10_000;

  private final Outbox intents;
  private final Timer timer = new Timer("restitch-repair-timer");
  private final PartitionShare share = new PartitionShare();
  private final RatePermits permits;
  private final Servers servers;
  private final Mappings mappings;
  private final CommandService service;

  public RepairWorker(Peers peers) {
    this.intents =
        new Outbox(peers.producer(), peers.config().topics(), "restitch-intents", CAPACITY);
    this.permits =
        new RatePermits(new Limits(peers.controls().book(), share), System::nanoTime, timer::after);
    share.onChange(permits::reconsider);
    this.servers = new Servers(peers.stores());
    this.mappings = new Mappings(peers.config().relations().values());
    this.service =
        new CommandService(
            peers.config(),
            peers.commands(),
            peers.records(),
            peers.producer(),
            peers.deadLetters(),
            timer,
            new CommandService.Restraints(
                new Guard(peers.controls().book(), peers.controls().dryRun()), permits, share),
            policies(peers, permits),
            peers.name(),
            peers.clock());
  }

  private Map<Policy, RepairPolicy> policies(Peers peers, RatePermits permits) {
    SideStore sides = new ServerSides(servers);
    return Map.of(
        Policy.ACCEPT_NEWEST,
        new AcceptNewest(sides, mappings),
        Policy.SOURCE_OF_TRUTH,
        new SourceOfTruth(
            sides,
            new StoreVersions(servers, peers.clock()),
            peers.sources(),
            new GenerationCap(peers.clock()),
            permits,
            new RewriteIntents(intents, peers.name(), peers.clock())),
        Policy.ROLL_FORWARD,
        new RollForward(sides, peers.intents(), peers.payloads()),
        Policy.MARK,
        new MarkAgain(sides));
  }

  /** Begins to consume commands. */
  public void start() {
    service.start();
  }

  /** Something was set: rates change, and what waits but may not go on is refused. */
  public void controlsChanged() {
    permits.reconsider();
  }

  /** True while the worker is given commands. */
  public boolean taking() {
    return share.taking();
  }

  /** Shows what becomes of commands, and how fast they may be carried out, as metrics. */
  public void bind(MeterRegistry meters) {
    WorkerMeters.bind(meters, service.counts(), permits, share);
  }

  /** Completes when the worker has ended; fails if it ended by itself, with the reason. */
  public CompletionStage<Void> ended() {
    return service.ended();
  }

  /** What came in, and what became of it. */
  public OutcomeCounts counts() {
    return service.counts();
  }

  /**
   * The stores that a newer version of the worker has claimed, each with a sentence; empty: none.
   * Commands that need them are refused, all others are carried out.
   */
  public Map<String, String> refusedStores() {
    return servers.refused();
  }

  /** Lets what is in progress end, for some seconds. Idempotent. */
  @Override
  public void close() {
    service.close();
    timer.close();
    mappings.close();
    intents.close();
  }
}
