package dev.restitch.writer.io;

import dev.restitch.topic.Topic;
import java.util.concurrent.CompletionStage;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Hands records to Kafka, in the order of the calls. Thread-safe; never blocks. */
@FunctionalInterface
public interface RecordSender {

  /**
   * Sends a record.
   *
   * @return completes when Kafka has acknowledged it, on a thread that must not be blocked; fails
   *     where it was not handed over or not acknowledged
   * @throws IllegalArgumentException if the topic does not carry such records
   */
  CompletionStage<RecordMetadata> send(Topic<?> topic, String key, SpecificRecord value);
}
