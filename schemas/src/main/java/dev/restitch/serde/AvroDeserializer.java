package dev.restitch.serde;

import dev.restitch.registry.BoundedCache;
import dev.restitch.registry.RegistryException;
import dev.restitch.registry.SchemaNotFoundException;
import dev.restitch.registry.SchemaRegistry;
import java.io.IOException;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Reads records in the Confluent wire format into the contract's generated classes: the writer's
 * schema is looked up by its id (the first time this waits for the registry) and resolved to the
 * schema of the class with the same full name. Null stays null. Thread-safe: nothing that has a
 * state is shared between calls.
 *
 * <p>Errors: {@link SerializationException} for a record that can never be read, with a message
 * that says why and never quotes the record. Any other {@link RegistryException} than an unknown id
 * passes unchanged: the record may be good, and must not be dead-lettered.
 */
public final class AvroDeserializer implements Deserializer<SpecificRecord> {

  static {
    AvroTrust.establish();
  }

  private static final int CACHED = 1000;

  private final SchemaRegistry registry;
  private final BoundedCache<Integer, SpecificDatumReader<SpecificRecord>> readers =
      new BoundedCache<>(CACHED);

  public AvroDeserializer(SchemaRegistry registry) {
    this.registry = Objects.requireNonNull(registry, "registry");
  }

  @Override
  public SpecificRecord deserialize(String topic, byte[] value) {
    if (value == null) {
      return null;
    }
    int id = WireFormat.readId(topic, value);
    SpecificDatumReader<SpecificRecord> reader = reader(topic, id);
    BinaryDecoder decoder =
        DecoderFactory.get()
            .binaryDecoder(
                value, WireFormat.HEADER_LENGTH, value.length - WireFormat.HEADER_LENGTH, null);
    try {
      SpecificRecord record = reader.read(null, decoder);
      if (decoder.isEnd()) {
        return record;
      }
    } catch (IOException | RuntimeException e) {
      // Avro throws all sorts on broken bytes; nothing but the bytes can be wrong here.
      throw new SerializationException(
          "a value in " + topic + " is broken or cut short (schema id " + id + ")", e);
    }
    throw new SerializationException(
        "a value in " + topic + " goes on after its record (schema id " + id + ")");
  }

  private SpecificDatumReader<SpecificRecord> reader(String topic, int id) {
    SpecificDatumReader<SpecificRecord> known = readers.peek(id);
    if (known != null) {
      return known;
    }
    SpecificDatumReader<SpecificRecord> opened = open(topic, id);
    readers.put(id, opened);
    return opened;
  }

  private SpecificDatumReader<SpecificRecord> open(String topic, int id) {
    Schema writer = writerSchema(topic, id);
    Schema reader =
        writer.getType() == Schema.Type.RECORD ? RecordTypes.reader(writer.getFullName()) : null;
    if (reader == null) {
      throw new SerializationException(
          "a value in "
              + topic
              + " is of type "
              + writer.getFullName()
              + " (schema id "
              + id
              + "), which is none of the records that are read here");
    }
    if (SchemaCompatibility.checkReaderWriterCompatibility(reader, writer).getType()
        != SchemaCompatibilityType.COMPATIBLE) {
      throw new SerializationException(
          "a value in "
              + topic
              + " was written with a schema of "
              + writer.getFullName()
              + " (schema id "
              + id
              + ") that this version cannot read");
    }
    return new SpecificDatumReader<>(writer, reader);
  }

  private Schema writerSchema(String topic, int id) {
    try {
      return registry.byId(id);
    } catch (SchemaNotFoundException e) {
      throw new SerializationException("a value in " + topic + ": " + e.getMessage(), e);
    }
  }
}
