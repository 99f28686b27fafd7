package dev.restitch.serde;

import dev.restitch.registry.SchemaRegistry;
import dev.restitch.topic.Topic;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Reads the values of one topic; a record of the contract that belongs in another topic is refused
 * with a {@link SerializationException}. Otherwise as {@link AvroDeserializer}. Thread-safe.
 *
 * @param <V> what the topic carries
 */
public final class TopicDeserializer<V extends SpecificRecord> implements Deserializer<V> {

  private final Topic<V> topic;
  private final AvroDeserializer records;

  public TopicDeserializer(SchemaRegistry registry, Topic<V> topic) {
    this.records = new AvroDeserializer(registry);
    this.topic = Objects.requireNonNull(topic, "topic");
  }

  @Override
  @SuppressWarnings("unchecked") // checked: the topic carries the record's class
  public V deserialize(String name, byte[] value) {
    SpecificRecord record = records.deserialize(name, value);
    if (record != null && !topic.carries(record.getClass())) {
      throw new SerializationException(
          "a value in "
              + name
              + " is a "
              + record.getClass().getSimpleName()
              + ", which has no place there");
    }
    return (V) record;
  }
}
