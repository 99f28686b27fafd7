package dev.restitch.serde;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.avro.Coverage;
import dev.restitch.avro.EvidenceSource;
import dev.restitch.avro.Observation;
import dev.restitch.registry.InMemorySchemaRegistry;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.registry.SchemaText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;

class EvolutionTest {

  private final SchemaRegistry registry = new InMemorySchemaRegistry();
  private final AvroDeserializer deserializer = new AvroDeserializer(registry);

  @Test
  void shouldFillAFieldThatTheWriterDidNotKnowWithItsDefault() throws IOException {
    Schema older = without(Coverage.getClassSchema(), "deadLettered");
    GenericRecordBuilder written = new GenericRecordBuilder(older);
    written.set("store", "east");
    written.set("node", "h:1");
    written.set("subscribed", true);
    written.set("coveredThroughMillis", 5L);
    written.set("owner", "a");
    for (String counter : List.of("received", "published", "coalesced", "filtered")) {
      written.set(counter, 9L);
    }

    Coverage read = (Coverage) deserializer.deserialize("t", encode(older, written.build()));

    assertThat(read.getReceived()).isEqualTo(9);
    assertThat(read.getDeadLettered()).isZero();
  }

  @Test
  void shouldPassOverAFieldThatItDoesNotKnow() throws IOException {
    Schema newer = with(Coverage.getClassSchema(), "colour", Schema.create(Schema.Type.STRING));
    GenericRecordBuilder written = new GenericRecordBuilder(newer);
    written.set("store", "east");
    written.set("node", "h:1");
    written.set("subscribed", true);
    written.set("coveredThroughMillis", 5L);
    written.set("owner", "a");
    for (String counter :
        List.of("received", "published", "coalesced", "filtered", "deadLettered")) {
      written.set(counter, 9L);
    }
    written.set("colour", "red");

    Coverage read = (Coverage) deserializer.deserialize("t", encode(newer, written.build()));

    assertThat(read.getDeadLettered()).isEqualTo(9);
  }

  @Test
  void shouldReadASymbolThatItDoesNotKnowAsTheDefault() throws IOException {
    String text = SchemaText.of(Observation.getClassSchema());
    Schema newer = SchemaText.parse(text.replace("\"READER\"]", "\"READER\",\"ORACLE\"]"));
    Samples samples = new Samples(2);
    Observation sample = (Observation) samples.record(Observation.getClassSchema());
    GenericRecord written = toGeneric(newer, sample);
    written.put("source", new GenericData.EnumSymbol(newer.getField("source").schema(), "ORACLE"));

    Observation read = (Observation) deserializer.deserialize("t", encode(newer, written));

    assertThat(read.getSource()).isEqualTo(EvidenceSource.OTHER);
    assertThat(read.getReading()).isEqualTo(sample.getReading());
  }

  @Test
  void shouldReadWhatAWriterWithoutJavaWrote() throws IOException {
    Schema portable = SchemaText.portable(Observation.getClassSchema());
    Observation sample = (Observation) new Samples(4).record(Observation.getClassSchema());

    assertThat(portable.toString()).doesNotContain("avro.java.string");
    assertThat(deserializer.deserialize("t", encode(portable, toGeneric(portable, sample))))
        .isEqualTo(sample);
  }

  private static GenericRecord toGeneric(Schema schema, Observation from) throws IOException {
    byte[] bytes = encodeBody(from.getSchema(), from);
    return new org.apache.avro.generic.GenericDatumReader<GenericRecord>(from.getSchema(), schema)
        .read(null, org.apache.avro.io.DecoderFactory.get().binaryDecoder(bytes, null));
  }

  private byte[] encode(Schema schema, GenericRecord record) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    WireFormat.writeHeader(out, registry.register("s-" + schema.hashCode(), schema));
    out.writeBytes(encodeBody(schema, record));
    return out.toByteArray();
  }

  private static byte[] encodeBody(Schema schema, Object record) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    new GenericDatumWriter<>(schema, new org.apache.avro.specific.SpecificData())
        .write(record, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  private static Schema without(Schema schema, String field) {
    List<Schema.Field> fields = new ArrayList<>();
    for (Schema.Field each : schema.getFields()) {
      if (!each.name().equals(field)) {
        fields.add(new Schema.Field(each, each.schema()));
      }
    }
    return Schema.createRecord(
        schema.getName(), schema.getDoc(), schema.getNamespace(), false, fields);
  }

  private static Schema with(Schema schema, String field, Schema type) {
    List<Schema.Field> fields = new ArrayList<>();
    for (Schema.Field each : schema.getFields()) {
      fields.add(new Schema.Field(each, each.schema()));
    }
    fields.add(new Schema.Field(field, type));
    return Schema.createRecord(
        schema.getName(), schema.getDoc(), schema.getNamespace(), false, fields);
  }
}
