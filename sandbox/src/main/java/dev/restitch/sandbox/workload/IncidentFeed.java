package dev.restitch.sandbox.workload;

import dev.restitch.avro.Incident;
import dev.restitch.config.RestitchConfig;
import dev.restitch.kafka.KafkaClients;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.serde.TopicDeserializer;
import dev.restitch.topic.Topics;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ObjLongConsumer;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens to committed incidents, from the first one on, on a thread of its own. */
public final class IncidentFeed implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(IncidentFeed.class);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final int CLOSE_MILLIS = 5_000;

  private final Consumer<String, byte[]> consumer;
  private final TopicDeserializer<Incident> incidents;
  private final ObjLongConsumer<Incident> listener;
  private final AtomicLong unreadable = new AtomicLong();
  private final Thread thread = new Thread(this::run, "incident-feed");
  private volatile boolean closed;

  private IncidentFeed(
      Consumer<String, byte[]> consumer,
      SchemaRegistry registry,
      ObjLongConsumer<Incident> listener) {
    this.consumer = consumer;
    this.incidents = new TopicDeserializer<>(registry, Topics.INCIDENTS);
    this.listener = listener;
  }

  /**
   * Starts listening. The topic must exist.
   *
   * @param listener is given each incident and the time of this machine's clock, in milliseconds
   */
  public static IncidentFeed start(
      RestitchConfig config, SchemaRegistry registry, ObjLongConsumer<Incident> listener) {
    Consumer<String, byte[]> consumer = KafkaClients.consumer(config, "restitch-demo-feed", null);
    List<TopicPartition> partitions =
        consumer.partitionsFor(Topics.INCIDENTS.name(config.topics())).stream()
            .map(p -> new TopicPartition(p.topic(), p.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    IncidentFeed feed = new IncidentFeed(consumer, registry, listener);
    feed.thread.setDaemon(true);
    feed.thread.start();
    return feed;
  }

  /** Incidents that could not be read. */
  public long unreadable() {
    return unreadable.get();
  }

  private void run() {
    try {
      while (!closed) {
        for (ConsumerRecord<String, byte[]> message : consumer.poll(POLL)) {
          hear(message);
        }
      }
    } catch (WakeupException e) {
      log.atDebug().log("the feed was woken to end");
    } finally {
      consumer.close();
    }
  }

  private void hear(ConsumerRecord<String, byte[]> message) {
    try {
      Incident incident = incidents.deserialize(message.topic(), message.value());
      if (incident != null) {
        listener.accept(incident, System.currentTimeMillis());
      }
    } catch (SerializationException e) {
      unreadable.incrementAndGet();
      log.atWarn()
          .addKeyValue("partition", message.partition())
          .addKeyValue("offset", message.offset())
          .addKeyValue("error", e.getMessage())
          .log("an incident could not be read");
    }
  }

  @Override
  public void close() {
    closed = true;
    consumer.wakeup();
    try {
      thread.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
