package dev.restitch.serde;

import dev.restitch.config.TopicsConfig;
import dev.restitch.registry.RegistryException;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.topic.Topic;
import dev.restitch.topic.Topics;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/** Registers the contract's schemas before the first record needs them. */
public final class ContractSchemas {

  private ContractSchemas() {}

  /**
   * Registers the schema of every record type of every topic; idempotent. Done at start, a schema
   * that the registry refuses is found then, and not by a thread that has records to move.
   *
   * @throws RegistryException as {@link SchemaRegistry#register}
   */
  public static void register(SchemaRegistry registry, TopicsConfig config) {
    bySubject(config).forEach(registry::register);
  }

  /** The schema of every record type of every topic, by the subject that it is kept under. */
  public static Map<String, Schema> bySubject(TopicsConfig config) {
    Map<String, Schema> schemas = new LinkedHashMap<>();
    for (Topic<?> topic : Topics.all()) {
      for (Class<?> type : topic.values()) {
        if (SpecificRecord.class.isAssignableFrom(type)) {
          Schema schema = SpecificData.get().getSchema(type);
          schemas.put(RecordTypes.subject(topic.name(config), schema), schema);
        }
      }
    }
    return schemas;
  }
}
