package dev.restitch.serde;

import dev.restitch.registry.SchemaRegistry;
import dev.restitch.topic.Topic;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;

/** Serdes in the Confluent wire format. */
public final class AvroSerde {

  private AvroSerde() {}

  /** A serde for every record of the contract. */
  public static Serde<SpecificRecord> of(SchemaRegistry registry) {
    return Serdes.serdeFrom(new AvroSerializer(registry), new AvroDeserializer(registry));
  }

  /** A serde for the values of one topic; it refuses to read anything else. */
  public static <V extends SpecificRecord> Serde<V> of(SchemaRegistry registry, Topic<V> topic) {
    AvroSerializer records = new AvroSerializer(registry);
    Serializer<V> serializer = records::serialize;
    return Serdes.serdeFrom(serializer, new TopicDeserializer<>(registry, topic));
  }
}
