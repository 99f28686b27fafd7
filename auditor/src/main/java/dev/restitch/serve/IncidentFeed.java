package dev.restitch.serve;

import dev.restitch.avro.Incident;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.serde.TopicDeserializer;
import dev.restitch.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The incidents, each in its present state, as the incident topic tells them: all open ones and the
 * latest closed ones. Reads the whole topic at start. Thread-safe.
 */
public final class IncidentFeed implements AutoCloseable {

  /** Incidents kept at most; the oldest closed ones go first. */
  static final int MOST = 20_000;

  private static final Logger log = LoggerFactory.getLogger(IncidentFeed.class);
  private static final Duration POLL = Duration.ofMillis(500);

  private final Map<String, Incident> incidents = new LinkedHashMap<>();
  private final Supplier<Consumer<String, byte[]>> open;
  private final String topic;
  private final TopicDeserializer<Incident> values;
  private final Thread thread;
  private volatile Consumer<String, byte[]> consumer;
  private volatile boolean closed;

  /**
   * A feed that reads nothing before {@link #start}.
   *
   * @param open makes a consumer without a group that reads committed; closed by the feed
   */
  public IncidentFeed(
      Supplier<Consumer<String, byte[]>> open, String topic, SchemaRegistry registry) {
    this.open = open;
    this.topic = topic;
    this.values = new TopicDeserializer<>(registry, Topics.INCIDENTS);
    this.thread = new Thread(this::read, "restitch-incident-feed");
    this.thread.setDaemon(true);
  }

  public void start() {
    thread.start();
  }

  /** Newest declared first. */
  public synchronized List<Incident> all() {
    List<Incident> all = new ArrayList<>(incidents.values());
    all.sort(Comparator.comparingLong(Incident::getDeclaredAtMillis).reversed());
    return all;
  }

  public synchronized Optional<Incident> byId(String id) {
    return Optional.ofNullable(incidents.get(id));
  }

  /** Incidents that are not closed. */
  public synchronized long openCount() {
    return incidents.values().stream().filter(i -> !closed(i)).count();
  }

  static boolean closed(Incident i) {
    return switch (i.getState()) {
      case REPAIRED, HEALED, SUPPRESSED -> true;
      case OPEN, REPAIRING, MANUAL, FAILED, UNKNOWN -> false;
    };
  }

  private void read() {
    try (Consumer<String, byte[]> c = open.get()) {
      consumer = c;
      Collection<TopicPartition> partitions =
          c.partitionsFor(topic).stream()
              .map(p -> new TopicPartition(p.topic(), p.partition()))
              .toList();
      c.assign(partitions);
      c.seekToBeginning(partitions);
      while (!closed) {
        for (ConsumerRecord<String, byte[]> record : c.poll(POLL)) {
          take(record);
        }
      }
    } catch (WakeupException e) {
      log.atDebug().log("incident feed ends");
    }
  }

  private synchronized void take(ConsumerRecord<String, byte[]> record) {
    try {
      Incident incident = values.deserialize(topic, record.value());
      if (incident == null) {
        String key = record.key();
        incidents.remove(key.substring(key.lastIndexOf('#') + 1));
        return;
      }
      incidents.put(incident.getId(), incident);
      if (incidents.size() > MOST) {
        dropOldestClosed();
      }
    } catch (SerializationException e) {
      log.atWarn()
          .addKeyValue("partition", record.partition())
          .addKeyValue("offset", record.offset())
          .addKeyValue("error", e.getMessage())
          .log("an incident cannot be read and is not shown");
    }
  }

  private void dropOldestClosed() {
    Iterator<Incident> all = incidents.values().iterator();
    while (all.hasNext()) {
      if (closed(all.next())) {
        all.remove();
        return;
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    Consumer<String, byte[]> c = consumer;
    if (c != null) {
      c.wakeup();
    }
    try {
      thread.join(5_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
