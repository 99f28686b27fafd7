package dev.restitch.writer.io;

import dev.restitch.config.TopicsConfig;
import dev.restitch.topic.Topic;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Hands records to a Kafka producer on a thread of its own, since {@code send} may block for
 * metadata or for buffer space; in the order of the calls. What waits is bounded: one record more
 * fails at once. Thread-safe. The producer stays its owner's.
 */
public final class Outbox implements RecordSender, AutoCloseable {

  private static final int CLOSE_SECONDS = 10;

  private final Producer<String, SpecificRecord> producer;
  private final TopicsConfig topics;
  private final ThreadPoolExecutor sender;
  private final AtomicLong failed = new AtomicLong();

  /**
   * Starts the sending thread.
   *
   * @param threadName name of the sending thread
   * @param capacity most records that wait for the producer
   */
  public Outbox(
      Producer<String, SpecificRecord> producer,
      TopicsConfig topics,
      String threadName,
      int capacity) {
    this.producer = producer;
    this.topics = topics;
    this.sender =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(capacity),
            task -> {
              Thread thread = new Thread(task, threadName);
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * {@inheritDoc}
   *
   * @return fails with {@link RejectedExecutionException} if too many wait or the outbox is closed,
   *     else with the producer's own exception
   */
  @Override
  public CompletionStage<RecordMetadata> send(Topic<?> topic, String key, SpecificRecord value) {
    if (!topic.carries(value.getClass())) {
      throw new IllegalArgumentException(
          topic.baseName() + " does not carry " + value.getClass().getSimpleName());
    }
    Handover handover = new Handover(new ProducerRecord<>(topic.name(topics), key, value));
    try {
      sender.execute(handover);
    } catch (RejectedExecutionException e) {
      handover.end(null, e);
    }
    return handover.acknowledged.minimalCompletionStage();
  }

  /** Records that Kafka did not acknowledge. */
  public long failed() {
    return failed.get();
  }

  /** Hands over what waits, for ten seconds at most, and refuses more. Idempotent. */
  @Override
  public void close() {
    sender.shutdown();
    try {
      if (sender.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (Runnable waiting : sender.shutdownNow()) {
      ((Handover) waiting).end(null, new RejectedExecutionException("the outbox was closed"));
    }
  }

  private final class Handover implements Runnable {

    private final ProducerRecord<String, SpecificRecord> message;
    private final CompletableFuture<RecordMetadata> acknowledged = new CompletableFuture<>();

    Handover(ProducerRecord<String, SpecificRecord> message) {
      this.message = message;
    }

    @Override
    public void run() {
      try {
        Future<RecordMetadata> unused = producer.send(message, this::end);
      } catch (RuntimeException e) {
        end(null, e);
      }
    }

    private void end(RecordMetadata metadata, Exception failure) {
      if (failure == null) {
        acknowledged.complete(metadata);
      } else {
        failed.incrementAndGet();
        acknowledged.completeExceptionally(failure);
      }
    }
  }
}
