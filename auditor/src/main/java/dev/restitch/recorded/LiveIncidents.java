package dev.restitch.recorded;

import dev.restitch.avro.Incident;
import dev.restitch.config.RestitchConfig;
import dev.restitch.feed.TopicTail;
import dev.restitch.kafka.KafkaClients;
import dev.restitch.registry.SchemaRegistries;
import dev.restitch.serde.TopicDeserializer;
import dev.restitch.topic.Topics;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The incidents that were declared live. */
public final class LiveIncidents {

  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration POLL = Duration.ofMillis(100);

  private LiveIncidents() {}

  /** Those declared within a window, each in its last state; reads the whole topic. Blocks. */
  public static List<Incident> within(RestitchConfig config, Window window) {
    Map<String, Incident> last = new LinkedHashMap<>();
    String topic = Topics.INCIDENTS.name(config.topics());
    TopicDeserializer<Incident> reader =
        new TopicDeserializer<>(SchemaRegistries.open(config.registry()), Topics.INCIDENTS);
    try (Consumer<String, byte[]> consumer =
        KafkaClients.consumer(config, "restitch-replay", null)) {
      List<TopicPartition> partitions = TopicTail.every(consumer, topic);
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, PATIENCE);
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey(), PATIENCE) < end.getValue())) {
        for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
          if (record.value() == null) {
            last.remove(record.key());
          } else {
            last.put(record.key(), reader.deserialize(topic, record.value()));
          }
        }
      }
    }
    return last.values().stream()
        .filter(i -> window.wanted().test(i.getInstance()))
        .filter(
            i ->
                i.getDeclaredAtMillis() >= window.fromMillis()
                    && i.getDeclaredAtMillis() <= window.toMillis())
        .toList();
  }
}
