package dev.restitch.watch;

import dev.restitch.avro.Coverage;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.serde.TopicDeserializer;
import dev.restitch.topic.Topics;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the coverage topic from its beginning and on: the last mark of every node. A mark holds
 * whoever wrote it, as it stands for what the brokers had before it. Thread-safe.
 */
public final class CoverageFeed implements AutoCloseable {

  /** A mark is written every second; nodes without one for as long are watched by nobody. */
  static final Duration PRESENT = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(CoverageFeed.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long RETRY_NANOS = 1_000_000_000L;
  private static final long CLOSE_MILLIS = 5_000;

  private final Supplier<Consumer<String, byte[]>> open;
  private final String topic;
  private final TopicDeserializer<Coverage> values;
  private final Clock clock;
  private final Thread thread;
  private final Map<String, Mark> marks = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<CompletableFuture<Void>> waiting =
      new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  private record Mark(Coverage coverage, long atMillis) {}

  /**
   * A feed that reads nothing before {@link #start}.
   *
   * @param open makes a consumer without a group; closed by the feed
   * @param topic the coverage topic's name
   */
  public CoverageFeed(
      Supplier<Consumer<String, byte[]>> open, String topic, SchemaRegistry registry, Clock clock) {
    this.open = open;
    this.topic = topic;
    this.values = new TopicDeserializer<>(registry, Topics.COVERAGE);
    this.clock = clock;
    this.thread = new Thread(this::run, "restitch-coverage-feed");
    this.thread.setDaemon(true);
  }

  /** Begins to read. */
  public void start() {
    thread.start();
  }

  /**
   * Completes with the last mark of a node when all that was written before this call is read;
   * exceptionally if the brokers do not answer in time.
   */
  CompletableFuture<Optional<Coverage>> lastMark(String name) {
    CompletableFuture<Void> read = new CompletableFuture<>();
    waiting.add(read);
    return read.thenApply(done -> Optional.ofNullable(marks.get(name)).map(Mark::coverage));
  }

  /** The last mark of a node, if it is recent by this process's clock. */
  Optional<Coverage> present(String name) {
    long oldest = clock.millis() - PRESENT.toMillis();
    return Optional.ofNullable(marks.get(name))
        .filter(mark -> mark.atMillis() >= oldest)
        .map(Mark::coverage);
  }

  private void run() {
    while (!closed) {
      try (Consumer<String, byte[]> consumer = open.get()) {
        List<TopicPartition> partitions =
            consumer.partitionsFor(topic).stream()
                .map(p -> new TopicPartition(p.topic(), p.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        while (!closed) {
          take(consumer);
          answer(consumer, partitions);
        }
      } catch (WakeupException | InterruptException e) {
        LOG.atDebug().log("coverage feed interrupted");
        return;
      } catch (KafkaException e) {
        LOG.atWarn()
            .addKeyValue("topic", topic)
            .addKeyValue("reason", e.getMessage())
            .log("cannot read coverage marks, trying again");
        refuse(e);
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  /** Answers those who wait for what has been written up to now. */
  private void answer(Consumer<String, byte[]> consumer, Collection<TopicPartition> partitions) {
    List<CompletableFuture<Void>> due = new ArrayList<>();
    for (CompletableFuture<Void> one = waiting.peek(); one != null; one = waiting.peek()) {
      due.add(waiting.remove());
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
          throw new KafkaException("the coverage marks were not read to their end in time");
        }
        take(consumer);
      }
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

  private void take(Consumer<String, byte[]> consumer) {
    for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
      take(record);
    }
  }

  private void take(ConsumerRecord<String, byte[]> record) {
    try {
      Coverage coverage = values.deserialize(topic, record.value());
      if (coverage == null) {
        marks.remove(record.key());
      } else {
        marks.put(record.key(), new Mark(coverage, record.timestamp()));
      }
    } catch (SerializationException e) {
      LOG.atWarn()
          .addKeyValue("partition", record.partition())
          .addKeyValue("offset", record.offset())
          .addKeyValue("error", e.getMessage())
          .log("a coverage mark cannot be read; an older one stands");
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
