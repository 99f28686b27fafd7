package dev.restitch.sandbox.eyes;

import dev.restitch.config.RestitchConfig;
import dev.restitch.kafka.KafkaClients;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.serde.TopicDeserializer;
import dev.restitch.topic.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/** All that a topic holds, as far as it was read. */
final class TopicTail<V extends SpecificRecord> implements AutoCloseable {

  private final Consumer<String, byte[]> consumer;
  private final TopicDeserializer<V> values;
  private final List<V> all = new ArrayList<>();

  TopicTail(RestitchConfig config, SchemaRegistry registry, Topic<V> topic) {
    consumer = KafkaClients.consumer(config, "test", null);
    values = new TopicDeserializer<>(registry, topic);
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic.name(config.topics())).stream()
            .map(p -> new TopicPartition(p.topic(), p.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** What was there, and what has come. */
  List<V> read() {
    consumer
        .poll(Duration.ofMillis(100))
        .forEach(record -> all.add(values.deserialize(record.topic(), record.value())));
    return all;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
