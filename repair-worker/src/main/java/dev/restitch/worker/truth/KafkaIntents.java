package dev.restitch.worker.truth;

import dev.restitch.avro.Intent;
import dev.restitch.registry.RegistryException;
import java.util.concurrent.CompletionStage;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;

/** Reads intents at their place in the topic of intents. Thread-safe. */
public final class KafkaIntents implements IntentSource {

  private final String topic;
  private final KafkaRecords places;
  private final Deserializer<SpecificRecord> records;

  /**
   * @param topic full name of the topic of intents
   * @param places stays its owner's
   */
  public KafkaIntents(String topic, KafkaRecords places, Deserializer<SpecificRecord> records) {
    this.topic = topic;
    this.places = places;
    this.records = records;
  }

  @Override
  public CompletionStage<Intent> at(int partition, long offset) {
    return places.at(topic, partition, offset, value -> intent(value, partition + "/" + offset));
  }

  private Intent intent(byte[] value, String place) {
    try {
      if (records.deserialize(topic, value) instanceof Intent intent) {
        return intent;
      }
      throw new TruthException("there is no intent at " + place);
    } catch (SerializationException e) {
      throw new TruthException("the intent at " + place + " is unreadable", e);
    } catch (RegistryException e) {
      throw new TruthUnavailableException("the schema registry does not answer", e);
    }
  }
}
