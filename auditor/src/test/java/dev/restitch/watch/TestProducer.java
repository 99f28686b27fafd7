package dev.restitch.watch;

import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.serialization.StringSerializer;

/** Keeps what is sent; may refuse a topic. */
public final class TestProducer {

  private static final Node BROKER = new Node(1, "localhost", 1);

  private volatile String refused;
  private volatile RuntimeException refusal;
  private final MockProducer<String, SpecificRecord> mock =
      new MockProducer<>(
          new Cluster(
              "test",
              List.of(BROKER),
              List.of(partition(0), partition(1), partition(2)),
              Set.of(),
              Set.of()),
          true,
          null,
          new StringSerializer(),
          (topic, value) -> new byte[0]) {
        @Override
        public synchronized Future<RecordMetadata> send(
            ProducerRecord<String, SpecificRecord> sent, Callback callback) {
          if (sent.topic().equals(refused)) {
            throw refusal;
          }
          return super.send(sent, callback);
        }
      };

  private static PartitionInfo partition(int number) {
    return new PartitionInfo("restitch-gaps", number, BROKER, new Node[] {BROKER}, new Node[0]);
  }

  public Producer<String, SpecificRecord> mock() {
    return mock;
  }

  /** Refuses every record of a topic. */
  public void refuse(RuntimeException why, String topic) {
    refusal = why;
    refused = topic;
  }

  /** Takes every record again. */
  public void accept() {
    refused = null;
  }

  /** The values sent to a topic, in order. */
  public <T> List<T> values(String topic, Class<T> type) {
    return sent(topic).stream().map(ProducerRecord::value).map(type::cast).toList();
  }

  /** The keys sent to a topic, in order. */
  public List<String> keys(String topic) {
    return sent(topic).stream().map(ProducerRecord::key).toList();
  }

  /** The partitions that records whose key ends so were sent to, in order. */
  List<Integer> partitions(String topic, String keyEnd) {
    return sent(topic).stream()
        .filter(sent -> sent.key().endsWith(keyEnd))
        .map(ProducerRecord::partition)
        .toList();
  }

  /** The partitions that records were sent to, in order. */
  public List<Integer> partitions(String topic) {
    return sent(topic).stream().map(ProducerRecord::partition).toList();
  }

  private List<ProducerRecord<String, SpecificRecord>> sent(String topic) {
    return mock.history().stream().filter(sent -> sent.topic().equals(topic)).toList();
  }
}
