package dev.restitch.watch;

import dev.restitch.read.LastStep;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands records to the producer, in order, on a thread of its own: sending may wait for brokers,
 * memory or the registry, and the threads that records come from must not. Its queue is bounded by
 * its users, who have only so many records unsettled.
 */
public final class Outbox implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);
  private static final long CLOSE_SECONDS = 5;

  private final Producer<String, SpecificRecord> producer;
  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final Thread thread;
  private volatile boolean closed;

  /**
   * Begins with {@link #start}.
   *
   * @param producer belongs to the caller
   * @param threadName of the sending thread
   */
  public Outbox(Producer<String, SpecificRecord> producer, String threadName) {
    this.producer = producer;
    this.thread = new Thread(this::run, threadName);
    thread.setDaemon(true);
  }

  /** Starts the sending thread. */
  public void start() {
    thread.start();
  }

  /** Completes when the brokers have the record, exceptionally if they do not take it. */
  public CompletableFuture<Void> send(String topic, String key, SpecificRecord value) {
    CompletableFuture<Void> result = new CompletableFuture<>();
    tasks.add(() -> send(new ProducerRecord<>(topic, key, value), result));
    return result;
  }

  /** Completes when every partition has a copy. */
  public CompletableFuture<Void> sendToEveryPartition(
      String topic, String key, SpecificRecord value) {
    CompletableFuture<Void> result = new CompletableFuture<>();
    tasks.add(
        () -> {
          try {
            List<PartitionInfo> partitions = producer.partitionsFor(topic);
            CompletableFuture<?>[] copies =
                partitions.stream()
                    .map(
                        partition -> {
                          CompletableFuture<Void> copy = new CompletableFuture<>();
                          send(
                              new ProducerRecord<>(topic, partition.partition(), key, value), copy);
                          return copy;
                        })
                    .toArray(CompletableFuture<?>[]::new);
            LastStep.of(
                CompletableFuture.allOf(copies), (done, failure) -> settle(result, failure));
          } catch (RuntimeException e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  private void send(
      ProducerRecord<String, SpecificRecord> outgoing, CompletableFuture<Void> result) {
    try {
      producer.send(outgoing, (metadata, failure) -> settle(result, failure));
    } catch (RuntimeException e) {
      result.completeExceptionally(e);
    }
  }

  private static void settle(CompletableFuture<Void> result, Throwable failure) {
    if (failure == null) {
      result.complete(null);
    } else {
      result.completeExceptionally(failure);
    }
  }

  private void run() {
    try {
      while (!closed || !tasks.isEmpty()) {
        Runnable task = tasks.poll(100, TimeUnit.MILLISECONDS);
        if (task != null) {
          task.run();
        }
      }
    } catch (InterruptedException e) {
      LOG.atDebug().log("outbox interrupted");
    }
  }

  /** Sends what is queued, within a bounded time; what is left then fails with the producer. */
  @Override
  public void close() {
    closed = true;
    try {
      thread.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
      if (thread.isAlive()) {
        LOG.atWarn().addKeyValue("records", tasks.size()).log("records were not sent in time");
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
