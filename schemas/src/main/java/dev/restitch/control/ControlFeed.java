package dev.restitch.control;

import dev.restitch.avro.Control;
import dev.restitch.registry.RegistryException;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.serde.TopicDeserializer;
import dev.restitch.topic.Topics;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
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
 * Keeps a {@link ControlBook} as the topic of controls says, on a thread of its own. Every
 * partition holds a copy of every setting; the first is read, which is written first. Thread-safe.
 */
public final class ControlFeed implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(ControlFeed.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final long RETRY_NANOS = 1_000_000_000L;
  private static final long CLOSE_MILLIS = 5_000;

  private final Supplier<Consumer<String, byte[]>> open;
  private final TopicPartition partition;
  private final TopicDeserializer<Control> values;
  private final ControlBook book;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final AtomicLong unreadable = new AtomicLong();
  private final CompletableFuture<Void> read = new CompletableFuture<>();
  private final Thread thread;
  private volatile boolean closed;

  /**
   * A feed that reads nothing before {@link #start}.
   *
   * @param open makes a consumer without a group that reads committed; closed by the feed
   * @param topic the topic's full name
   * @param book kept by this feed alone
   */
  public ControlFeed(
      Supplier<Consumer<String, byte[]>> open,
      String topic,
      SchemaRegistry registry,
      ControlBook book) {
    this.open = open;
    this.partition = new TopicPartition(topic, 0);
    this.values = new TopicDeserializer<>(registry, Topics.CONTROL);
    this.book = book;
    this.thread = new Thread(this::run, "restitch-control-feed");
    this.thread.setDaemon(true);
  }

  /** Calls back after each change of the book, on the feed's thread; must not block. */
  public ControlFeed onChange(Runnable listener) {
    listeners.add(listener);
    return this;
  }

  /** Begins to read. */
  public ControlFeed start() {
    thread.start();
    return this;
  }

  /**
   * Waits until everything that had been set before the start is in the book.
   *
   * @throws KafkaException if that takes longer
   */
  public void awaitRead(Duration atMost) {
    try {
      read.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new KafkaException(
          "the topic " + partition.topic() + " could not be read to its end in time", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptException(e);
    }
  }

  /** What is set. */
  public ControlBook book() {
    return book;
  }

  /** Records that this version could not make sense of. */
  public long unreadable() {
    return unreadable.get();
  }

  private void run() {
    while (!closed) {
      try (Consumer<String, byte[]> consumer = open.get()) {
        read(consumer);
      } catch (WakeupException | InterruptException e) {
        log.atDebug().log("control feed ends");
        return;
      } catch (KafkaException | RegistryException e) {
        log.atWarn()
            .addKeyValue("topic", partition.topic())
            .addKeyValue("error", e.getMessage())
            .log("controls cannot be read, trying again; what was set stands");
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  private void read(Consumer<String, byte[]> consumer) {
    List<TopicPartition> mine = List.of(partition);
    consumer.assign(mine);
    consumer.seekToBeginning(mine);
    long end = consumer.endOffsets(mine).get(partition);
    while (!closed) {
      boolean changed = false;
      for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
        changed |= take(record);
      }
      if (changed) {
        listeners.forEach(Runnable::run);
      }
      if (!read.isDone() && consumer.position(partition) >= end) {
        read.complete(null);
      }
    }
  }

  private boolean take(ConsumerRecord<String, byte[]> record) {
    try {
      Control control = values.deserialize(record.topic(), record.value());
      if (control == null) {
        book.remove(record.key());
      } else {
        book.put(ControlRecords.read(control));
      }
      return true;
    } catch (SerializationException | IllegalArgumentException e) {
      unreadable.incrementAndGet();
      log.atWarn()
          .addKeyValue("partition", record.partition())
          .addKeyValue("offset", record.offset())
          .addKeyValue("error", e.getMessage())
          .log("a control record cannot be used");
      return false;
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
  }
}
