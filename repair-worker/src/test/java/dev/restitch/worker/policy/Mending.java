package dev.restitch.worker.policy;

import dev.restitch.avro.Policy;
import dev.restitch.config.RelationConfig;
import dev.restitch.config.RestitchConfig;
import dev.restitch.control.ControlBook;
import dev.restitch.model.Bytes;
import dev.restitch.registry.InMemorySchemaRegistry;
import dev.restitch.serde.AvroSerializer;
import dev.restitch.store.StoreClient;
import dev.restitch.worker.apply.ServerSides;
import dev.restitch.worker.apply.Servers;
import dev.restitch.worker.apply.SideStore;
import dev.restitch.worker.apply.StoreVersions;
import dev.restitch.worker.guard.GenerationCap;
import dev.restitch.worker.guard.Limits;
import dev.restitch.worker.guard.RatePermits;
import dev.restitch.worker.truth.LogEntry;
import dev.restitch.worker.truth.Truth;
import dev.restitch.worker.truth.TruthException;
import dev.restitch.worker.truth.TruthSource;
import dev.restitch.writer.io.Outbox;
import dev.restitch.writer.io.Stages;
import java.time.Clock;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.StringSerializer;

/** The policies over real stores, as one worker has them. */
final class Mending implements AutoCloseable {

  private final RestitchConfig config;
  private final Map<Map<String, StoreClient>, Servers> known =
      Collections.synchronizedMap(new IdentityHashMap<>());
  private final Mappings mappings;
  private final GenerationCap generations = new GenerationCap(Clock.systemUTC());
  private final RatePermits permits =
      new RatePermits(
          new Limits(new ControlBook(), () -> 1), System::nanoTime, delay -> Runnable::run);
  private final Outbox publisher;

  Mending(RestitchConfig config) {
    this.config = config;
    this.mappings = new Mappings(config.relations().values());
    this.publisher =
        new Outbox(
            new MockProducer<String, SpecificRecord>(
                true,
                null,
                new StringSerializer(),
                new AvroSerializer(new InMemorySchemaRegistry())),
            config.topics(),
            "restitch-intents",
            10_000);
  }

  /**
   * Mends, and says what has stopped it where something has; fails where a store did not answer.
   */
  Repair mend(Torn torn, Map<String, StoreClient> stores) {
    RepairOrder order = RepairOrder.of(torn.command(), config.resolver());
    return mend(order, policy(torn, stores));
  }

  /** Mends by one command that keeps its id, so that it can be delivered again. */
  Repair mend(RepairOrder order, Torn torn, Map<String, StoreClient> stores) {
    return mend(order, policy(torn, stores));
  }

  RepairOrder order(Torn torn) {
    return RepairOrder.of(torn.command(), config.resolver());
  }

  private static Repair mend(RepairOrder order, RepairPolicy policy) {
    try {
      return Stages.compose(order, policy::mend)
          .toCompletableFuture()
          .orTimeout(10, TimeUnit.SECONDS)
          .join();
    } catch (CompletionException e) {
      if (Stages.cause(e) instanceof RepairStopped stopped) {
        return Repair.none(stopped.outcome(), stopped.getMessage());
      }
      throw e;
    }
  }

  private RepairPolicy policy(Torn torn, Map<String, StoreClient> stores) {
    Servers servers = known.computeIfAbsent(stores, Servers::new);
    SideStore sides = new ServerSides(servers);
    Policy policy = torn.policy();
    return switch (policy) {
      case ACCEPT_NEWEST -> new AcceptNewest(sides, mappings);
      case ROLL_FORWARD ->
          new RollForward(
              sides,
              (partition, offset) -> CompletableFuture.completedStage(torn.intent()),
              reference -> CompletableFuture.failedStage(new TruthException("none")));
      case SOURCE_OF_TRUTH ->
          new SourceOfTruth(
              sides,
              new StoreVersions(servers, Clock.systemUTC()),
              Map.of("db", truth(torn)),
              generations,
              permits,
              new RewriteIntents(publisher, "test/1", Clock.systemUTC()));
      default -> throw new IllegalArgumentException("no such policy here: " + policy);
    };
  }

  private static TruthSource truth(Torn torn) {
    return new TruthSource() {
      @Override
      public CompletionStage<Truth> read(RelationConfig relation, String instance) {
        return CompletableFuture.completedStage(Truth.of(torn.payload(), torn.payload()));
      }

      @Override
      public CompletionStage<List<Optional<LogEntry>>> entries(
          RelationConfig relation, String instance, Bytes token) {
        Optional<LogEntry> entry = Optional.of(new LogEntry(torn.payload(), null));
        return CompletableFuture.completedStage(Collections.nCopies(2, entry));
      }
    };
  }

  @Override
  public void close() {
    mappings.close();
    publisher.close();
  }
}
