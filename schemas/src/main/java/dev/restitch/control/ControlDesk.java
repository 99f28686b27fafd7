package dev.restitch.control;

import dev.restitch.config.TopicsConfig;
import dev.restitch.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Writes settings to the topic of controls: a copy to every partition, so that the judge of every
 * instance takes it in, in one order with the rest of its evidence; to the first partition, which
 * workers read, before the others. Blocks. Thread-safe; one setting at a time.
 */
public final class ControlDesk {

  private final Producer<String, SpecificRecord> producer;
  private final String topic;
  private final Duration patience;

  /**
   * @param producer stays its owner's
   * @param patience how long the brokers may take
   */
  public ControlDesk(
      Producer<String, SpecificRecord> producer, TopicsConfig topics, Duration patience) {
    this.producer = producer;
    this.topic = Topics.CONTROL.name(topics);
    this.patience = patience;
  }

  /**
   * Makes a setting.
   *
   * @throws KafkaException if not every partition is known to have it; setting it again mends that
   */
  public synchronized void publish(Directive directive) {
    write(directive.key(), ControlRecords.write(directive));
  }

  /**
   * Removes a setting that concerns nothing any more.
   *
   * @throws KafkaException as {@link #publish}
   */
  public synchronized void forget(String key) {
    write(key, null);
  }

  private void write(String key, SpecificRecord value) {
    List<Integer> partitions =
        producer.partitionsFor(topic).stream()
            .map(PartitionInfo::partition)
            .sorted(Comparator.naturalOrder())
            .toList();
    long deadline = System.nanoTime() + patience.toNanos();
    List<Future<RecordMetadata>> copies = new ArrayList<>();
    for (int partition : partitions) {
      copies.add(producer.send(new ProducerRecord<>(topic, partition, key, value)));
      if (partition == partitions.get(0)) {
        await(copies.get(0), deadline);
      }
    }
    copies.forEach(copy -> await(copy, deadline));
  }

  private void await(Future<RecordMetadata> copy, long deadlineNanos) {
    try {
      copy.get(Math.max(1, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new KafkaException("the brokers did not confirm the setting in time", e);
    } catch (ExecutionException e) {
      throw new KafkaException("the brokers did not take the setting", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptException(e);
    }
  }
}
