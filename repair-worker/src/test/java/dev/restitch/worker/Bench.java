package dev.restitch.worker;

import static org.awaitility.Awaitility.await;

import dev.restitch.avro.Intent;
import dev.restitch.avro.RepairCommand;
import dev.restitch.avro.RepairOutcome;
import dev.restitch.config.RestitchConfig;
import dev.restitch.control.ControlBook;
import dev.restitch.kafka.DeadLetters;
import dev.restitch.registry.InMemorySchemaRegistry;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.serde.AvroDeserializer;
import dev.restitch.serde.AvroSerializer;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import dev.restitch.worker.truth.IntentSource;
import dev.restitch.worker.truth.PayloadSource;
import dev.restitch.worker.truth.TruthException;
import dev.restitch.worker.truth.TruthSource;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A whole worker over real stores, with Kafka played by the clients' own doubles. */
final class Bench implements AutoCloseable {

  static final TopicPartition REPAIRS = new TopicPartition("restitch-repairs", 0);

  final MockProducer<String, SpecificRecord> produced;
  final MockProducer<byte[], byte[]> letters;
  final Map<String, TruthSource> truth = new HashMap<>();
  IntentSource intents =
      (partition, offset) -> CompletableFuture.failedStage(new TruthException("no intent"));
  PayloadSource payloads =
      reference -> CompletableFuture.failedStage(new TruthException("no payload"));
  final Map<String, StoreClient> stores;

  private final RestitchConfig config;
  private final SchemaRegistry registry = new InMemorySchemaRegistry();
  private final AvroSerializer serializer = new AvroSerializer(registry);
  private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("earliest");
  private final DeadLetters deadLetters;
  final ControlBook controls = new ControlBook();
  private RepairWorker worker;
  private long offset;

  Bench(RestitchConfig config) {
    this.config = config;
    this.stores = StoreClients.openAll(config, "worker-test");
    this.produced = new MockProducer<>(true, null, new StringSerializer(), serializer);
    this.letters =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    this.deadLetters = new DeadLetters(letters, "restitch-dead-letters", "test");
  }

  Bench start() {
    worker =
        new RepairWorker(
            new RepairWorker.Peers(
                config,
                stores,
                truth,
                (partition, at) -> intents.at(partition, at),
                reference -> payloads.fetch(reference),
                consumer,
                new AvroDeserializer(registry),
                produced,
                deadLetters,
                "test/1",
                Clock.systemUTC(),
                new RepairWorker.Controls(controls, false)));
    consumer.schedulePollTask(
        () -> {
          consumer.rebalance(List.of(REPAIRS));
          consumer.updateBeginningOffsets(Map.of(REPAIRS, 0L));
        });
    worker.start();
    await().until(() -> consumer.assignment().contains(REPAIRS));
    return this;
  }

  RepairWorker worker() {
    return worker;
  }

  void send(RepairCommand command) {
    sendBytes(command.getInstance(), serializer.serialize(REPAIRS.topic(), command));
  }

  void sendRecord(String key, SpecificRecord value) {
    sendBytes(key, serializer.serialize(REPAIRS.topic(), value));
  }

  void sendBytes(String key, byte[] value) {
    consumer.addRecord(
        new ConsumerRecord<>(REPAIRS.topic(), REPAIRS.partition(), offset++, key, value));
  }

  /** Sends a command and waits for its outcome. */
  RepairOutcome repair(RepairCommand command) {
    int before = outcomes().size();
    send(command);
    await().until(() -> outcomes().size() > before);
    return outcomes().get(before);
  }

  List<RepairOutcome> outcomes() {
    return records(RepairOutcome.class);
  }

  List<Intent> intentsSent() {
    return records(Intent.class);
  }

  <T extends SpecificRecord> List<T> records(Class<T> type) {
    List<T> found = new ArrayList<>();
    produced
        .history()
        .forEach(
            message -> {
              if (type.isInstance(message.value())) {
                found.add(type.cast(message.value()));
              }
            });
    return found;
  }

  /** The next offset that the worker would be given after a restart. */
  long committed() {
    var committed = consumer.committed(java.util.Set.of(REPAIRS)).get(REPAIRS);
    return committed == null ? 0 : committed.offset();
  }

  @Override
  public void close() {
    worker.close();
    deadLetters.close();
    stores.values().forEach(StoreClient::close);
  }
}
