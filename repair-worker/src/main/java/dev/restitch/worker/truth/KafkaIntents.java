package dev.restitch.worker.truth;

import dev.restitch.avro.Intent;
import dev.restitch.registry.RegistryException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Reads single intents with a consumer of its own, on a thread of its own. The consumer is opened
 * at the first use, and again after an error. What waits is bounded.
 */
public final class KafkaIntents implements IntentSource, AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int WAITING = 1000;

  private final String topic;
  private final Supplier<Consumer<String, byte[]>> consumers;
  private final Deserializer<SpecificRecord> records;
  private final ThreadPoolExecutor thread;
  private Consumer<String, byte[]> consumer;

  /**
   * @param topic full name of the topic of intents
   * @param consumers opens a consumer without a group that reads committed records
   */
  public KafkaIntents(
      String topic,
      Supplier<Consumer<String, byte[]>> consumers,
      Deserializer<SpecificRecord> records) {
    this.topic = topic;
    this.consumers = consumers;
    this.records = records;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING),
            task -> {
              Thread made = new Thread(task, "restitch-intent-reader");
              made.setDaemon(true);
              return made;
            });
  }

  @Override
  public CompletionStage<Intent> at(int partition, long offset) {
    try {
      return CompletableFuture.supplyAsync(() -> read(partition, offset), thread);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedStage(
          new TruthUnavailableException("too many intents wait to be read", e));
    }
  }

  private Intent read(int partition, long offset) {
    try {
      ConsumerRecord<String, byte[]> found = find(new TopicPartition(topic, partition), offset);
      if (records.deserialize(topic, found.value()) instanceof Intent intent) {
        return intent;
      }
      throw new TruthException("there is no intent at " + partition + "/" + offset);
    } catch (SerializationException e) {
      throw new TruthException("the intent at " + partition + "/" + offset + " is unreadable", e);
    } catch (RegistryException e) {
      throw new TruthUnavailableException("the schema registry does not answer", e);
    } catch (KafkaException e) {
      closeConsumer();
      throw new TruthUnavailableException("the intent cannot be read from Kafka now", e);
    }
  }

  private ConsumerRecord<String, byte[]> find(TopicPartition place, long offset) {
    if (consumer == null) {
      consumer = consumers.get();
    }
    consumer.assign(List.of(place));
    consumer.seek(place, offset);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      for (ConsumerRecord<String, byte[]> found : consumer.poll(Duration.ofMillis(200))) {
        if (found.offset() == offset) {
          return found;
        }
        throw new TruthException(
            "the intent at " + place.partition() + "/" + offset + " is no longer kept by Kafka");
      }
    }
    throw new TruthUnavailableException(
        "the intent at " + place.partition() + "/" + offset + " was not to be had in time", null);
  }

  private void closeConsumer() {
    if (consumer != null) {
      consumer.close();
      consumer = null;
    }
  }

  /** Lets what runs end, for some seconds, and closes the consumer. Idempotent. */
  @Override
  public void close() {
    if (thread.isShutdown()) {
      return;
    }
    thread.execute(this::closeConsumer);
    thread.shutdown();
    try {
      if (!thread.awaitTermination(PATIENCE.toSeconds() * 2, TimeUnit.SECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      thread.shutdownNow();
    }
  }
}
