package dev.restitch.worker;

import dev.restitch.config.RestitchConfig;
import dev.restitch.config.SourceConfig;
import dev.restitch.config.StoreConfig;
import dev.restitch.control.ControlBook;
import dev.restitch.control.ControlFeed;
import dev.restitch.kafka.DeadLetters;
import dev.restitch.kafka.KafkaClients;
import dev.restitch.registry.SchemaRegistries;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.serde.AvroDeserializer;
import dev.restitch.startup.Peers;
import dev.restitch.startup.UnreachableException;
import dev.restitch.store.StoreClient;
import dev.restitch.topic.Topics;
import dev.restitch.worker.truth.JdbcSource;
import dev.restitch.worker.truth.KafkaIntents;
import dev.restitch.worker.truth.KafkaRecords;
import dev.restitch.worker.truth.PayloadRefs;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.Deserializer;

/** Waits for the peers of a worker, one after the other, and opens them. */
final class WorkerPeers implements AutoCloseable {

  private static final String CLIENT = "restitch-repair-worker";
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  private final Deque<Runnable> closers = new ArrayDeque<>();
  private RepairWorker.Peers peers;
  private ControlFeed controls;

  private WorkerPeers() {}

  /**
   * Opens everything; blocks, also until everything that has been set is known.
   *
   * @param dryRun true: nothing is written
   * @throws dev.restitch.startup.UnreachableException if a peer was not to be had within the
   *     startup patience; what was opened before is closed
   */
  static WorkerPeers open(RestitchConfig config, String name, boolean dryRun) {
    WorkerPeers opened = new WorkerPeers();
    try {
      opened.peers = opened.openAll(config, name, dryRun);
      return opened;
    } catch (RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  ControlFeed controls() {
    return controls;
  }

  RepairWorker.Peers peers() {
    return peers;
  }

  private RepairWorker.Peers openAll(RestitchConfig config, String name, boolean dryRun) {
    Peers.awaitKafka(config);
    SchemaRegistry registry = SchemaRegistries.open(config.registry());
    closers.push(registry::close);
    Peers.awaitRegistry(config, registry);
    Map<String, StoreClient> stores = new LinkedHashMap<>();
    config.stores().values().forEach(store -> stores.put(store.name(), store(config, store)));
    Map<String, JdbcSource> sources = new LinkedHashMap<>();
    config.sources().values().forEach(s -> sources.put(s.name(), source(config, s)));
    DeadLetters letters = DeadLetters.open(config, CLIENT);
    closers.push(letters::close);
    Producer<String, SpecificRecord> producer = KafkaClients.producer(config, registry, CLIENT);
    closers.push(() -> producer.close(CLOSE_TIMEOUT));
    Deserializer<SpecificRecord> records = new AvroDeserializer(registry);
    KafkaRecords places =
        new KafkaRecords(() -> KafkaClients.consumer(config, CLIENT + "-records", null));
    closers.push(places::close);
    PayloadRefs payloads = new PayloadRefs(config.payloads(), places);
    closers.push(payloads::close);
    controls =
        new ControlFeed(
                () -> KafkaClients.consumer(config, CLIENT + "-controls", null),
                Topics.CONTROL.name(config.topics()),
                registry,
                new ControlBook())
            .start();
    closers.push(controls::close);
    awaitControls(config);
    return new RepairWorker.Peers(
        config,
        stores,
        sources,
        new KafkaIntents(Topics.INTENTS.name(config.topics()), places, records),
        payloads,
        KafkaClients.consumer(config, CLIENT, config.topics().prefix() + "-repair-worker"),
        records,
        producer,
        letters,
        name,
        Clock.systemUTC(),
        new RepairWorker.Controls(controls.book(), dryRun));
  }

  /** Nothing may be repaired before it is known what is paused, braked or not approved. */
  private void awaitControls(RestitchConfig config) {
    try {
      controls.awaitRead(config.startupPatience());
    } catch (KafkaException e) {
      throw new UnreachableException(
          e.getMessage() + "; has an auditor been started, which makes the topics?", e);
    }
  }

  private StoreClient store(RestitchConfig config, StoreConfig store) {
    StoreClient client = Peers.awaitStore(config, store, CLIENT);
    closers.push(client::close);
    return client;
  }

  private JdbcSource source(RestitchConfig config, SourceConfig source) {
    JdbcSource opened = new JdbcSource(source);
    closers.push(opened::close);
    Peers.await(
        "source of truth '" + source.name() + "'",
        Peers.withoutCredentials(source.jdbc()),
        "that the database runs, that sources."
            + source.name()
            + ".jdbc names it, and its"
            + " credentials",
        config.startupPatience(),
        opened::ping);
    return opened;
  }

  /** Closes what was opened, the last first. Idempotent. */
  @Override
  public void close() {
    while (!closers.isEmpty()) {
      closers.pop().run();
    }
  }
}
