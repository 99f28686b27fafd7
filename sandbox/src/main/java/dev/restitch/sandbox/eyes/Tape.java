package dev.restitch.sandbox.eyes;

import dev.restitch.avro.Coverage;
import dev.restitch.avro.Gap;
import dev.restitch.avro.Incident;
import dev.restitch.avro.Observation;
import dev.restitch.avro.ProbeRequest;
import dev.restitch.avro.Snapshot;
import dev.restitch.config.RestitchConfig;
import dev.restitch.kafka.KafkaClients;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.serde.TopicDeserializer;
import dev.restitch.topic.Topic;
import dev.restitch.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** All that was said on the topics, with the brokers' append time, as far as it was read. */
final class Tape implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(100);

  private final Consumer<String, byte[]> consumer;
  private final Map<String, Track<?>> tracks = new HashMap<>();
  final Track<Incident> incidents;
  final Track<ProbeRequest> probes;
  final Track<Observation> observations;
  final Track<Snapshot> snapshots;
  final Track<Gap> gaps;
  final Track<Coverage> coverage;

  /** A record's key and value, and when the brokers took it, epoch milliseconds. */
  record Said<V>(String key, V value, long atMillis) {}

  /** What one topic said, in each partition in order. */
  static final class Track<V extends SpecificRecord> {

    private final TopicDeserializer<V> values;
    private final List<Said<V>> said = new ArrayList<>();

    Track(TopicDeserializer<V> values) {
      this.values = values;
    }

    private void hear(ConsumerRecord<String, byte[]> record) {
      V value = values.deserialize(record.topic(), record.value());
      if (value != null) {
        said.add(new Said<>(record.key(), value, record.timestamp()));
      }
    }

    List<Said<V>> said() {
      return said;
    }
  }

  /** Begins at the beginning; the topics must exist. */
  Tape(RestitchConfig config, SchemaRegistry registry) {
    consumer = KafkaClients.consumer(config, "restitch-chaos-tape", null);
    incidents = track(config, registry, Topics.INCIDENTS);
    probes = track(config, registry, Topics.PROBES);
    observations = track(config, registry, Topics.OBSERVATIONS);
    snapshots = track(config, registry, Topics.SNAPSHOTS);
    gaps = track(config, registry, Topics.GAPS);
    coverage = track(config, registry, Topics.COVERAGE);
    List<TopicPartition> partitions =
        tracks.keySet().stream()
            .flatMap(topic -> consumer.partitionsFor(topic).stream())
            .map(p -> new TopicPartition(p.topic(), p.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  private <V extends SpecificRecord> Track<V> track(
      RestitchConfig config, SchemaRegistry registry, Topic<V> topic) {
    Track<V> track = new Track<>(new TopicDeserializer<>(registry, topic));
    tracks.put(topic.name(config.topics()), track);
    return track;
  }

  /** Reads what has come since. */
  void read() {
    for (var heard = consumer.poll(POLL); !heard.isEmpty(); heard = consumer.poll(POLL)) {
      heard.forEach(record -> tracks.get(record.topic()).hear(record));
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
