package dev.restitch.kafka;

import dev.restitch.config.RestitchConfig;
import dev.restitch.topic.Topics;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts records that cannot be used aside, byte for byte, with headers that say why ({@link
 * HeaderNames}). A value that is too large for the topic is left out and its length kept, so that
 * no record can stop a consumer. Thread-safe; owns its producer.
 */
public final class DeadLetters implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(DeadLetters.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final Producer<byte[], byte[]> producer;
  private final String topic;
  private final String component;
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();

  /**
   * @param producer closed by {@link #close()}
   * @param topic the dead-letter topic's full name
   * @param component who could not use the records
   */
  public DeadLetters(Producer<byte[], byte[]> producer, String topic, String component) {
    this.producer = Objects.requireNonNull(producer, "producer");
    this.topic = Objects.requireNonNull(topic, "topic");
    this.component = Objects.requireNonNull(component, "component");
  }

  /** With a producer of its own. */
  public static DeadLetters open(RestitchConfig config, String component) {
    return new DeadLetters(
        KafkaClients.rawProducer(config, component + "-dead-letters"),
        Topics.DEAD_LETTERS.name(config.topics()),
        component);
  }

  /**
   * Sends a record, with one log line. May block as long as the producer's {@code max.block.ms}, so
   * never call it in a callback. Wait for the result before the record's offset is committed.
   *
   * @return completes when the brokers have it, exceptionally when they do not take it
   */
  public CompletableFuture<Void> send(PoisonRecord record, Throwable error) {
    log.atWarn()
        .addKeyValue("topic", record.topic())
        .addKeyValue("partition", record.partition())
        .addKeyValue("offset", record.offset())
        .addKeyValue("error", error.getClass().getSimpleName())
        .addKeyValue("reason", DeadLetter.message(error))
        .log("Record put aside");
    return attempt(DeadLetter.of(topic, record, error, component))
        .exceptionallyComposeAsync(
            failure ->
                tooLarge(failure) && record.value() != null
                    ? attempt(DeadLetter.withoutValue(topic, record, error, component))
                    : CompletableFuture.failedFuture(failure))
        .whenComplete((done, failure) -> (failure == null ? sent : failed).incrementAndGet());
  }

  /** How many records the brokers have taken. */
  public long sent() {
    return sent.get();
  }

  /** How many records the brokers did not take. */
  public long failed() {
    return failed.get();
  }

  @Override
  public void close() {
    producer.close(CLOSE_TIMEOUT);
  }

  private CompletableFuture<Void> attempt(ProducerRecord<byte[], byte[]> letter) {
    CompletableFuture<Void> result = new CompletableFuture<>();
    try {
      // The callback tells all that the returned future would.
      Future<RecordMetadata> unused =
          producer.send(
              letter,
              (metadata, failure) -> {
                if (failure == null) {
                  result.complete(null);
                } else {
                  result.completeExceptionally(failure);
                }
              });
    } catch (KafkaException | IllegalStateException e) {
      result.completeExceptionally(e);
    }
    return result;
  }

  private static boolean tooLarge(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof RecordTooLargeException;
  }
}
