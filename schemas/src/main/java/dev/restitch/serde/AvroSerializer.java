package dev.restitch.serde;

import dev.restitch.registry.BoundedCache;
import dev.restitch.registry.RegistryException;
import dev.restitch.registry.SchemaRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Objects;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Writes records in the Confluent wire format: {@code 0x00}, the schema's id in four big-endian
 * bytes, Avro binary. The schema is registered when it is first written to a topic, which waits for
 * the registry. Null becomes null. Thread-safe.
 *
 * <p>Errors: {@link SerializationException} for a record that does not fit its schema; a {@link
 * RegistryException} passes unchanged, so that callers can tell a registry that does not answer
 * from a bad record.
 */
public final class AvroSerializer implements Serializer<SpecificRecord> {

  static {
    AvroTrust.establish();
  }

  private static final int CACHED = 1000;
  private static final int USUAL_SIZE = 256;

  private final SchemaRegistry registry;
  private final BoundedCache<Route, Writing> writings = new BoundedCache<>(CACHED);

  private record Route(String topic, Schema schema) {}

  private record Writing(int id, SpecificDatumWriter<SpecificRecord> writer) {}

  public AvroSerializer(SchemaRegistry registry) {
    this.registry = Objects.requireNonNull(registry, "registry");
  }

  @Override
  public byte[] serialize(String topic, SpecificRecord value) {
    if (value == null) {
      return null;
    }
    Schema schema = value.getSchema();
    Writing writing = writings.get(new Route(topic, schema), this::open);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_SIZE);
    WireFormat.writeHeader(bytes, writing.id());
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
    try {
      writing.writer().write(value, encoder);
      encoder.flush();
    } catch (IOException | AvroRuntimeException | ClassCastException | NullPointerException e) {
      throw new SerializationException(
          "a record for " + topic + " does not fit the schema of " + schema.getFullName(), e);
    }
    return bytes.toByteArray();
  }

  private Writing open(Route route) {
    String subject = RecordTypes.subject(route.topic(), route.schema());
    int id = registry.register(subject, route.schema());
    return new Writing(id, new SpecificDatumWriter<>(route.schema()));
  }
}
