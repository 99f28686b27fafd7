package dev.restitch.worker.truth;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads single records with a consumer of its own, on a thread of its own. The consumer is opened
 * at the first use, and again after an error. What waits is bounded. Thread-safe.
 */
public final class KafkaRecords implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int WAITING = 1000;

  private final Supplier<Consumer<String, byte[]>> consumers;
  private final ThreadPoolExecutor thread;
  private Consumer<String, byte[]> consumer;

  /**
   * @param consumers opens a consumer without a group that reads committed records
   */
  public KafkaRecords(Supplier<Consumer<String, byte[]>> consumers) {
    this.consumers = consumers;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING),
            task -> {
              Thread made = new Thread(task, "restitch-record-reader");
              made.setDaemon(true);
              return made;
            });
  }

  /**
   * Reads the value of one record.
   *
   * @param reader makes something of the value, which is null where the record has none; may block
   * @return fails as the reader does, with {@link TruthUnavailableException} if it is worth asking
   *     again, with {@link TruthException} if the record is no longer kept
   */
  public <T> CompletionStage<T> at(
      String topic, int partition, long offset, Function<byte[], T> reader) {
    try {
      return CompletableFuture.supplyAsync(
          () -> reader.apply(read(new TopicPartition(topic, partition), offset)), thread);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedStage(
          new TruthUnavailableException("too many records wait to be read", e));
    }
  }

  private byte[] read(TopicPartition place, long offset) {
    try {
      return find(place, offset).value();
    } catch (KafkaException e) {
      closeConsumer();
      throw new TruthUnavailableException(
          "the record at " + name(place, offset) + " cannot be read from Kafka now", e);
    }
  }

  private ConsumerRecord<String, byte[]> find(TopicPartition place, long offset) {
    if (consumer == null) {
      consumer = consumers.get();
    }
    consumer.assign(List.of(place));
    consumer.seek(place, offset);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() - deadline < 0) {
      for (ConsumerRecord<String, byte[]> found : consumer.poll(Duration.ofMillis(200))) {
        if (found.offset() == offset) {
          return found;
        }
        throw new TruthException(
            "the record at " + name(place, offset) + " is no longer kept by Kafka");
      }
    }
    throw new TruthUnavailableException(
        "the record at " + name(place, offset) + " was not to be had in time", null);
  }

  private static String name(TopicPartition place, long offset) {
    return place.topic() + "/" + place.partition() + "/" + offset;
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
