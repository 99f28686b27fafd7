package dev.restitch.serde;

import dev.restitch.config.TopicsConfig;
import dev.restitch.registry.RegistryException;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.topic.Topic;
import dev.restitch.topic.Topics;
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
    for (Topic<?> topic : Topics.all()) {
      for (Class<?> type : topic.values()) {
        if (SpecificRecord.class.isAssignableFrom(type)) {
          Schema schema = SpecificData.get().getSchema(type);
          registry.register(RecordTypes.subject(topic.name(config), schema), schema);
        }
      }
    }
  }
}
