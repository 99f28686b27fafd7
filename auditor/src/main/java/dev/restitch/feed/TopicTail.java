package dev.restitch.feed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads partitions from their beginning and on, on a thread of its own, and again from their
 * beginning after a failure. Thread-safe.
 */
public final class TopicTail implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TopicTail.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long RETRY_NANOS = 1_000_000_000L;
  private static final long CLOSE_MILLIS = 5_000;

  private final Supplier<Consumer<String, byte[]>> open;
  private final String what;
  private final Function<Consumer<?, ?>, List<TopicPartition>> which;
  private final Listener listener;
  private final Thread thread;
  private final ConcurrentLinkedQueue<CompletableFuture<Void>> waiting =
      new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  /** Takes what is read, on the tail's thread; must not throw. */
  public interface Listener {

    /** Takes a record; where reading began anew, one that it had before. */
    void take(ConsumerRecord<String, byte[]> record);

    /** Everything in front of an offset has been read. */
    default void readTo(TopicPartition partition, long offset) {}
  }

  /**
   * A tail that reads nothing before {@link #start}.
   *
   * @param open makes a consumer without a group; closed by the tail
   * @param which finds the partitions, such as {@link #every}
   * @param what is read, for people; names the thread
   */
  public TopicTail(
      Supplier<Consumer<String, byte[]>> open,
      Function<Consumer<?, ?>, List<TopicPartition>> which,
      Listener listener,
      String what) {
    this.open = open;
    this.which = which;
    this.listener = listener;
    this.what = what;
    this.thread = new Thread(this::run, "restitch-" + what + "-feed");
    this.thread.setDaemon(true);
  }

  /** Every partition of a topic. */
  public static List<TopicPartition> every(Consumer<?, ?> consumer, String topic) {
    return consumer.partitionsFor(topic).stream()
        .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
        .toList();
  }

  /** Begins to read. */
  public void start() {
    thread.start();
  }

  /**
   * Completes when all that was written before this call is taken; exceptionally if the brokers do
   * not answer in time.
   */
  public CompletableFuture<Void> readToEnd() {
    CompletableFuture<Void> read = new CompletableFuture<>();
    waiting.add(read);
    if (closed) {
      refuse(new KafkaException("closed"));
    }
    return read;
  }

  private void run() {
    while (!closed) {
      try (Consumer<String, byte[]> consumer = open.get()) {
        List<TopicPartition> partitions = which.apply(consumer);
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        while (!closed) {
          consumer.poll(POLL).forEach(listener::take);
          answer(consumer, partitions);
        }
      } catch (WakeupException | InterruptException e) {
        LOG.atDebug().log("tail interrupted");
        return;
      } catch (KafkaException e) {
        LOG.atWarn()
            .addKeyValue("feed", what)
            .addKeyValue("reason", e.getMessage())
            .log("cannot read a topic, trying again");
        refuse(e);
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  /** Answers those who wait for what has been written up to now. */
  private void answer(Consumer<String, byte[]> consumer, List<TopicPartition> partitions) {
    List<CompletableFuture<Void>> due = new ArrayList<>();
    for (CompletableFuture<Void> one = waiting.poll(); one != null; one = waiting.poll()) {
      due.add(one);
    }
    if (due.isEmpty()) {
      return;
    }
    try {
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, PATIENCE);
      long patience = System.nanoTime() + PATIENCE.toNanos();
      while (!ends.entrySet().stream()
          .allMatch(end -> consumer.position(end.getKey(), PATIENCE) >= end.getValue())) {
        if (closed || System.nanoTime() - patience > 0) {
          throw new KafkaException("a topic was not read to its end in time");
        }
        consumer.poll(POLL).forEach(listener::take);
      }
      ends.forEach(listener::readTo);
    } catch (KafkaException e) {
      due.forEach(one -> one.completeExceptionally(e));
      throw e;
    }
    due.forEach(one -> one.complete(null));
  }

  private void refuse(KafkaException why) {
    for (CompletableFuture<Void> one = waiting.poll(); one != null; one = waiting.poll()) {
      one.completeExceptionally(why);
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join(CLOSE_MILLIS);
      if (thread.isAlive()) {
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
    refuse(new KafkaException("closed"));
  }
}
