package dev.restitch.webhook;

import dev.restitch.avro.Incident;
import dev.restitch.config.RestitchConfig;
import dev.restitch.config.WebhookConfig;
import dev.restitch.registry.RegistryException;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.serde.TopicDeserializer;
import dev.restitch.topic.Topics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells opened, stuck and closed incidents to an HTTP endpoint. All auditors share the work as one
 * consumer group; what is posted is committed afterwards, so that each event is told at least once.
 * An endpoint that is away is tried again for as long as it takes; one that refuses a batch for
 * what it is loses that batch, counted and logged. A group that is new begins with what comes next.
 *
 * <p>Counted: {@code restitch_webhook_notices_total{result="posted" | "refused"}} and {@code
 * restitch_webhook_failures_total}.
 */
public final class Webhook implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Webhook.class);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final long FIRST_PAUSE_MILLIS = 1_000;
  private static final long LONGEST_PAUSE_MILLIS = 60_000;
  private static final long CLOSE_MILLIS = 15_000;
  private static final int TOLD_KEPT = 10_000;

  private final RestitchConfig config;
  private final WebhookConfig hook;
  private final Supplier<Consumer<String, byte[]>> open;
  private final TopicDeserializer<Incident> values;
  private final Endpoint endpoint;
  private final Counter posted;
  private final Counter refused;
  private final Counter failures;
  private final Thread thread = new Thread(this::run, "restitch-webhook");
  private volatile boolean closed;

  /** What was told last of each incident: an incident that changes is not told again for that. */
  private final Map<String, Notice.What> told =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Notice.What> eldest) {
          return size() > TOLD_KEPT;
        }
      };

  /**
   * A webhook that tells nothing before {@link #start}.
   *
   * @param config must name a webhook
   * @param open makes a consumer of {@link #group}; closed by the webhook
   */
  public Webhook(
      RestitchConfig config,
      SchemaRegistry registry,
      Supplier<Consumer<String, byte[]>> open,
      MeterRegistry meters) {
    this.config = config;
    this.hook = config.webhook();
    this.open = open;
    this.values = new TopicDeserializer<>(registry, Topics.INCIDENTS);
    this.endpoint = new Endpoint(hook);
    this.posted = meters.counter("restitch.webhook.notices", "result", "posted");
    this.refused = meters.counter("restitch.webhook.notices", "result", "refused");
    this.failures = meters.counter("restitch.webhook.failures");
    thread.setDaemon(true);
  }

  /** The consumer group that all auditors share. */
  public static String group(RestitchConfig config) {
    return config.topics().prefix() + "-webhook";
  }

  /** Begins to tell. */
  public void start() {
    thread.start();
  }

  private void run() {
    while (!closed) {
      try (Consumer<String, byte[]> consumer = open.get()) {
        consumer.subscribe(
            List.of(Topics.INCIDENTS.name(config.topics())), new FromNowOn(consumer));
        tell(consumer);
      } catch (WakeupException | InterruptException | InterruptedException e) {
        log.atDebug().log("webhook ends");
        return;
      } catch (KafkaException | RegistryException e) {
        log.atWarn()
            .addKeyValue("error", e.getMessage())
            .log("incidents cannot be read for the webhook, trying again");
        LockSupport.parkNanos(Duration.ofMillis(FIRST_PAUSE_MILLIS).toNanos());
      }
    }
  }

  private void tell(Consumer<String, byte[]> consumer) throws InterruptedException {
    while (!closed) {
      List<Notice> notices = new ArrayList<>();
      Map<String, Notice.What> now = new HashMap<>();
      for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
        read(record)
            .filter(notice -> now.put(notice.incident().getId(), notice.what()) != notice.what())
            .ifPresent(notices::add);
      }
      for (int from = 0; from < notices.size() && !closed; from += hook.batch()) {
        post(consumer, notices.subList(from, Math.min(notices.size(), from + hook.batch())));
      }
      if (!closed) {
        consumer.commitSync();
        if (!notices.isEmpty()) {
          rest(consumer, hook.every().toMillis());
        }
      }
    }
  }

  private Optional<Notice> read(ConsumerRecord<String, byte[]> record) {
    try {
      Incident incident = values.deserialize(record.topic(), record.value());
      return incident == null
          ? Optional.empty()
          : Notice.of(incident, hook).filter(notice -> told.get(incident.getId()) != notice.what());
    } catch (SerializationException e) {
      refused.increment();
      log.atWarn()
          .addKeyValue("partition", record.partition())
          .addKeyValue("offset", record.offset())
          .addKeyValue("error", e.getMessage())
          .log("an incident cannot be read and is not told");
      return Optional.empty();
    }
  }

  private void post(Consumer<String, byte[]> consumer, List<Notice> batch)
      throws InterruptedException {
    long pause = FIRST_PAUSE_MILLIS;
    while (!closed) {
      try {
        endpoint.post(batch);
        posted.increment(batch.size());
        batch.forEach(notice -> told.put(notice.incident().getId(), notice.what()));
        return;
      } catch (Endpoint.RefusedException e) {
        refused.increment(batch.size());
        log.atError()
            .addKeyValue("incidents", batch.size())
            .addKeyValue("reason", e.getMessage())
            .log("the webhook's endpoint refuses what it is told; these incidents are not told");
        return;
      } catch (IOException e) {
        failures.increment();
        log.atWarn()
            .addKeyValue("reason", e.toString())
            .addKeyValue("again", pause)
            .log("the webhook's endpoint was not reached, trying again");
        rest(consumer, pause);
        pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS);
      }
    }
  }

  /** Stays a member of the group meanwhile, and takes nothing. */
  private void rest(Consumer<String, byte[]> consumer, long millis) {
    long until = System.nanoTime() + Duration.ofMillis(millis).toNanos();
    while (!closed && System.nanoTime() < until) {
      consumer.pause(consumer.assignment());
      ConsumerRecords<String, byte[]> early = consumer.poll(POLL);
      for (TopicPartition partition : early.partitions()) { // assigned just now
        consumer.seek(partition, early.records(partition).get(0).offset());
      }
    }
    consumer.resume(consumer.paused());
  }

  /** Where the group was never before, only what comes next is told. */
  private record FromNowOn(Consumer<String, byte[]> consumer) implements ConsumerRebalanceListener {

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      // what was posted is committed, what was not is posted by whoever comes next
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      Map<TopicPartition, OffsetAndMetadata> known = consumer.committed(Set.copyOf(partitions));
      List<TopicPartition> fresh =
          partitions.stream().filter(partition -> known.get(partition) == null).toList();
      if (!fresh.isEmpty()) {
        consumer.seekToEnd(fresh);
        fresh.forEach(consumer::position); // now, not when the first record is asked for
      }
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
