package dev.restitch.sandbox.bench.drain;

import dev.restitch.avro.EvidenceSource;
import dev.restitch.avro.ProbeRequest;
import dev.restitch.avro.Snapshot;
import dev.restitch.config.RestitchConfig;
import dev.restitch.kafka.KafkaClients;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.serde.TopicDeserializer;
import dev.restitch.topic.Topics;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/** Answers the judge's probes by what the data says is at rest, on a thread of its own. */
final class ModelProber implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(20);
  private static final int CLOSE_MILLIS = 5_000;
  private static final int READ_MILLIS = 5;

  private final RestitchConfig config;
  private final DrainData data;
  private final Consumer<String, byte[]> probes;
  private final TopicDeserializer<ProbeRequest> requests;
  private final Producer<String, SpecificRecord> snapshots;
  private final AtomicLong asked = new AtomicLong();
  private final AtomicLong needless = new AtomicLong();
  private final Thread thread = new Thread(this::run, "model-prober");
  private volatile boolean closed;
  private volatile ProbeRequest example;

  private ModelProber(
      RestitchConfig config, String bootstrapServers, SchemaRegistry registry, DrainData data) {
    this.config = config;
    this.data = data;
    this.probes = KafkaClients.consumer(config, "model-prober", null);
    this.requests = new TopicDeserializer<>(registry, Topics.PROBES);
    this.snapshots = DrainLoad.producer(bootstrapServers, registry);
  }

  static ModelProber start(
      RestitchConfig config, String bootstrapServers, SchemaRegistry registry, DrainData data) {
    ModelProber prober = new ModelProber(config, bootstrapServers, registry, data);
    List<TopicPartition> all =
        prober.probes.partitionsFor(Topics.PROBES.name(config.topics())).stream()
            .map(p -> new TopicPartition(p.topic(), p.partition()))
            .toList();
    prober.probes.assign(all);
    prober.probes.seekToEnd(all);
    all.forEach(prober.probes::position); // looks up the end now, before the round begins
    prober.thread.setDaemon(true);
    prober.thread.start();
    return prober;
  }

  /** Probes asked for. */
  long asked() {
    return asked.get();
  }

  /** Those of them that concern an instance that is not torn. */
  long needless() {
    return needless.get();
  }

  /** One of those; null: there is none. */
  ProbeRequest example() {
    return example;
  }

  private void run() {
    try {
      while (!closed) {
        for (ConsumerRecord<String, byte[]> record : probes.poll(POLL)) {
          answer(requests.deserialize(record.topic(), record.value()));
        }
      }
    } catch (WakeupException e) {
      closed = true;
    } finally {
      probes.close();
      snapshots.close();
    }
  }

  private void answer(ProbeRequest ask) {
    asked.incrementAndGet();
    if (!DrainData.isTorn(ask.getInstance())) {
      needless.incrementAndGet();
      if (example == null) {
        example = ask;
      }
    }
    Snapshot snapshot =
        new Snapshot(
            ask.getInstance(),
            ask.getSeq(),
            ask.getAskedAtMillis(),
            EvidenceSource.PROBE,
            true,
            data.atRest(ask.getInstance()),
            ask.getAskedAtMillis());
    snapshots.send(
        new ProducerRecord<>(
            Topics.SNAPSHOTS.name(config.topics()),
            null,
            ask.getAskedAtMillis() + READ_MILLIS,
            ask.getInstance(),
            snapshot));
  }

  @Override
  public void close() {
    closed = true;
    probes.wakeup();
    try {
      thread.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
