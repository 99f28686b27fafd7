package dev.restitch.serde;

import dev.restitch.topic.Topic;
import dev.restitch.topic.Topics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/** The record types that may be values of a topic, and the subjects of their schemas. */
final class RecordTypes {

  private static final Map<String, Schema> READERS = readers();

  private RecordTypes() {}

  /** The generated class's schema by the record's full name; null if it is not of the contract. */
  static Schema reader(String fullName) {
    return READERS.get(fullName);
  }

  /**
   * {@code TOPIC-value}; where a topic carries several record types {@code TOPIC-FULL.NAME}, so
   * that each evolves by itself.
   */
  static String subject(String topic, Schema schema) {
    return sharing(schema) ? topic + "-" + schema.getFullName() : topic + "-value";
  }

  private static boolean sharing(Schema schema) {
    for (Topic<?> topic : Topics.all()) {
      List<? extends Class<?>> values = topic.values();
      if (values.size() > 1
          && values.stream().anyMatch(type -> type.getName().equals(schema.getFullName()))) {
        return true;
      }
    }
    return false;
  }

  private static Map<String, Schema> readers() {
    Map<String, Schema> byName = new LinkedHashMap<>();
    for (Topic<?> topic : Topics.all()) {
      for (Class<?> type : topic.values()) {
        if (SpecificRecord.class.isAssignableFrom(type)) {
          Schema schema = SpecificData.get().getSchema(type);
          byName.put(schema.getFullName(), schema);
        }
      }
    }
    return Map.copyOf(byName);
  }
}
