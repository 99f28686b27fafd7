package dev.restitch.sandbox.bench.drain;

import dev.restitch.avro.Intent;
import dev.restitch.avro.Observation;
import dev.restitch.config.RestitchConfig;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.serde.AvroSerializer;
import dev.restitch.topic.Topic;
import dev.restitch.topic.Topics;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** Puts the data into its topics. Not thread-safe. */
final class DrainLoad implements DrainData.Sink, AutoCloseable {

  private final RestitchConfig config;
  private final Producer<String, SpecificRecord> producer;
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private long sent;

  DrainLoad(RestitchConfig config, String bootstrapServers, SchemaRegistry registry) {
    this.config = config;
    this.producer = producer(bootstrapServers, registry);
  }

  static Producer<String, SpecificRecord> producer(
      String bootstrapServers, SchemaRegistry registry) {
    return new KafkaProducer<>(
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "linger.ms",
            "20",
            "batch.size",
            "65536",
            "max.request.size",
            "4194304"),
        new StringSerializer(),
        new AvroSerializer(registry));
  }

  @Override
  public void intent(String instance, Intent intent, long atMillis) {
    send(Topics.INTENTS, instance, intent, atMillis);
  }

  @Override
  public void observation(String instance, Observation observation, long atMillis) {
    send(Topics.OBSERVATIONS, instance, observation, atMillis);
  }

  private void send(Topic<?> topic, String instance, SpecificRecord value, long atMillis) {
    sent++;
    producer.send(
        new ProducerRecord<>(topic.name(config.topics()), null, atMillis, instance, value),
        (where, error) -> {
          if (error != null) {
            failure.compareAndSet(null, error);
          }
        });
  }

  /**
   * Waits until all is written.
   *
   * @return how many records
   */
  long written() throws IOException {
    producer.flush();
    if (failure.get() != null) {
      throw new IOException("the data could not be written: " + failure.get(), failure.get());
    }
    return sent;
  }

  @Override
  public void close() {
    producer.close();
  }
}
