package dev.restitch.writer;

import dev.restitch.avro.Done;
import dev.restitch.avro.Intent;
import dev.restitch.config.TopicsConfig;
import dev.restitch.topic.Topics;
import dev.restitch.writer.io.Outbox;
import java.util.concurrent.CompletionStage;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Sends intents and dones to the instances that they touch. Thread-safe; never blocks. The producer
 * stays its owner's, and must not take part in a transaction of the application.
 */
public final class IntentPublisher implements AutoCloseable {

  private static final int CAPACITY = 10_000;

  private final Outbox outbox;

  public IntentPublisher(Producer<String, SpecificRecord> producer, TopicsConfig topics) {
    this.outbox = new Outbox(producer, topics, "restitch-intents", CAPACITY);
  }

  /**
   * Sends an intent to one instance.
   *
   * @return completes when Kafka has acknowledged it; fails as {@link Outbox#send} does
   */
  public CompletionStage<RecordMetadata> publish(String instance, Intent intent) {
    return outbox.send(Topics.INTENTS, instance, intent);
  }

  /** Sends a done to one instance; as {@link #publish(String, Intent)}. */
  public CompletionStage<RecordMetadata> publish(String instance, Done done) {
    return outbox.send(Topics.INTENTS, instance, done);
  }

  /** Intents and dones that Kafka did not acknowledge. */
  public long failed() {
    return outbox.failed();
  }

  /** Hands over what waits. Idempotent. */
  @Override
  public void close() {
    outbox.close();
  }
}
