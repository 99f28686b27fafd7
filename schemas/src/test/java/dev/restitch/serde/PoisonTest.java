package dev.restitch.serde;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.restitch.avro.Gap;
import dev.restitch.avro.Intent;
import dev.restitch.config.RegistryConfig;
import dev.restitch.registry.HttpSchemaRegistry;
import dev.restitch.registry.InMemorySchemaRegistry;
import dev.restitch.registry.RegistryUnavailableException;
import dev.restitch.registry.SchemaRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PoisonTest {

  private final SchemaRegistry registry = new InMemorySchemaRegistry();
  private final AvroSerializer serializer = new AvroSerializer(registry);
  private final AvroDeserializer deserializer = new AvroDeserializer(registry);
  private final byte[] good =
      serializer.serialize("t", new Gap("id", "east", "h:1", 0L, 5L, "disconnect"));

  @Test
  void shouldRefuseAnEmptyValue() {
    refused(new byte[0], "is empty");
  }

  @ParameterizedTest
  @CsvSource({"123, 0x7b", "-1, 0xff", "2, 0x02"})
  void shouldRefuseAnotherMagicByte(byte first, String shown) {
    byte[] value = good.clone();
    value[0] = first;
    refused(value, "begins with byte " + shown);
  }

  @Test
  void shouldRefuseSchemasNamedByGuidAndSayWhatToDo() {
    byte[] value = good.clone();
    value[0] = 1;
    refused(value, "GUID (magic byte 1)");
  }

  @Test
  void shouldRefuseAValueThatEndsInItsSchemaId() {
    refused(Arrays.copyOf(good, 4), "ends within its schema id (4 bytes");
  }

  @Test
  void shouldRefuseAnUnknownSchemaId() {
    byte[] value = good.clone();
    value[4] = 99;
    refused(value, "schema id 99 is unknown to the registry");
  }

  @Test
  void shouldRefuseEveryTruncation() {
    for (int length = 5; length < good.length; length++) {
      refused(Arrays.copyOf(good, length), "broken or cut short");
    }
  }

  @Test
  void shouldRefuseBytesAfterTheRecord() {
    refused(Arrays.copyOf(good, good.length + 1), "goes on after its record");
  }

  @Test
  void shouldRefuseARecordThatIsNotOfTheContract() {
    Schema foreign =
        SchemaBuilder.record("com.example.Order").fields().requiredLong("id").endRecord();
    refused(valueWith(foreign), "com.example.Order");
  }

  @Test
  void shouldRefuseAValueThatIsNoRecord() {
    refused(valueWith(Schema.create(Schema.Type.STRING)), "is of type string");
  }

  @Test
  void shouldRefuseAWriterSchemaThatCannotBeResolved() {
    Schema other =
        SchemaBuilder.record("dev.restitch.avro.Gap").fields().requiredLong("id").endRecord();
    refused(valueWith(other), "that this version cannot read");
  }

  @ParameterizedTest
  @MethodSource("dev.restitch.serde.Samples#schemas")
  void shouldNeverFailOtherwiseThanBySerializationException(Schema schema) {
    Random random = new Random(3);
    Samples samples = new Samples(5);
    for (int i = 0; i < 3000; i++) {
      byte[] value = serializer.serialize("t-" + schema.getName(), samples.record(schema));
      for (int flips = 1 + random.nextInt(4); flips > 0 && value.length > 5; flips--) {
        value[5 + random.nextInt(value.length - 5)] = (byte) random.nextInt();
      }
      try {
        SpecificRecord read = deserializer.deserialize("t", value);
        assertThat(read.getSchema()).isEqualTo(schema);
      } catch (SerializationException e) {
        assertThat(e).hasMessageContaining("a value in t");
      }
    }
  }

  @Test
  void shouldNotAllocateWhatAPoisonRecordClaimsToHold() {
    int id = registry.register("t-" + Intent.class.getName(), Intent.getClassSchema());
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    WireFormat.writeHeader(value, id);
    value.writeBytes(new byte[] {2, 'x', 0}); // token "x", no version
    value.writeBytes(varint(Integer.MAX_VALUE - 16L)); // as many writes
    refused(value.toByteArray(), "broken or cut short");
  }

  @Test
  void shouldTellARegistryThatDoesNotAnswerFromABadRecord() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    AvroDeserializer offline =
        new AvroDeserializer(
            new HttpSchemaRegistry(
                new RegistryConfig("http://127.0.0.1:" + port, "restitch", null, null)));

    assertThatThrownBy(() -> offline.deserialize("t", good))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessageContaining("http://127.0.0.1:" + port);
  }

  @Test
  void shouldNotQuoteTheRecord() {
    byte[] secret = "password=hunter2".getBytes(UTF_8);
    byte[] value = good.clone();
    System.arraycopy(secret, 0, value, 5, Math.min(secret.length, value.length - 5));

    assertThatThrownBy(() -> deserializer.deserialize("t", value))
        .isInstanceOf(SerializationException.class)
        .hasMessageNotContaining("hunter2");
  }

  private void refused(byte[] value, String why) {
    assertThatThrownBy(() -> deserializer.deserialize("t", value))
        .isInstanceOf(SerializationException.class)
        .hasMessageStartingWith("a value in t")
        .hasMessageContaining(why);
  }

  private byte[] valueWith(Schema schema) {
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    WireFormat.writeHeader(value, registry.register("t-" + schema.getFullName(), schema));
    value.write(2);
    return value.toByteArray();
  }

  private static byte[] varint(long number) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    long rest = (number << 1) ^ (number >> 63);
    while ((rest & ~0x7FL) != 0) {
      out.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
    return out.toByteArray();
  }
}
