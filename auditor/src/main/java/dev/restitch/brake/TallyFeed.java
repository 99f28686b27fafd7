package dev.restitch.brake;

import dev.restitch.avro.Tally;
import dev.restitch.registry.RegistryException;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.serde.TopicDeserializer;
import dev.restitch.topic.Topics;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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

/** Reads what every auditor has told last of its judged and torn instances. Thread-safe. */
public final class TallyFeed implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(TallyFeed.class);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final long RETRY_NANOS = 1_000_000_000L;
  private static final long CLOSE_MILLIS = 5_000;

  private final Supplier<Consumer<String, byte[]>> open;
  private final TopicPartition partition;
  private final TopicDeserializer<Tally> values;
  private final Map<String, Tally> last = new ConcurrentHashMap<>();
  private final Thread thread = new Thread(this::run, "restitch-tally-feed");
  private volatile boolean closed;

  /**
   * A feed that reads nothing before {@link #start}.
   *
   * @param open makes a consumer without a group; closed by the feed
   * @param topic the topic's full name
   */
  public TallyFeed(Supplier<Consumer<String, byte[]>> open, String topic, SchemaRegistry registry) {
    this.open = open;
    this.partition = new TopicPartition(topic, 0);
    this.values = new TopicDeserializer<>(registry, Topics.TALLIES);
    thread.setDaemon(true);
  }

  /** Begins to read what is told from now on: older tallies do not count. */
  public void start() {
    thread.start();
  }

  /** The last tally of each auditor. */
  public Collection<Tally> all() {
    return List.copyOf(last.values());
  }

  private void run() {
    while (!closed) {
      try (Consumer<String, byte[]> consumer = open.get()) {
        List<TopicPartition> mine = List.of(partition);
        consumer.assign(mine);
        consumer.seekToEnd(mine);
        while (!closed) {
          consumer.poll(POLL).forEach(this::take);
        }
      } catch (WakeupException | InterruptException e) {
        log.atDebug().log("tally feed ends");
        return;
      } catch (KafkaException | RegistryException e) {
        log.atWarn()
            .addKeyValue("topic", partition.topic())
            .addKeyValue("error", e.getMessage())
            .log("tallies of other auditors cannot be read, trying again");
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  private void take(ConsumerRecord<String, byte[]> record) {
    try {
      Tally tally = values.deserialize(record.topic(), record.value());
      if (tally == null) {
        last.remove(record.key());
      } else {
        last.put(record.key(), tally);
      }
    } catch (SerializationException e) {
      log.atWarn()
          .addKeyValue("offset", record.offset())
          .addKeyValue("error", e.getMessage())
          .log("a tally cannot be read and does not count");
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
