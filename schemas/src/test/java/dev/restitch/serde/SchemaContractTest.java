package dev.restitch.serde;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.registry.SchemaText;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every schema must read what the released ones wrote (BACKWARD). The released ones stand in {@code
 * src/test/resources/contract}, one file a record type, each complete in itself; a release that
 * adds a field replaces its file.
 */
class SchemaContractTest {

  @ParameterizedTest
  @MethodSource("dev.restitch.serde.Samples#schemas")
  void shouldReadWhatTheReleasedSchemaWrote(Schema current) throws IOException {
    Schema released = released(current.getName());

    SchemaCompatibility.SchemaPairCompatibility pair =
        SchemaCompatibility.checkReaderWriterCompatibility(current, released);

    assertThat(pair.getResult().getIncompatibilities()).isEmpty();
    assertThat(current.getFullName()).isEqualTo(released.getFullName());
  }

  @ParameterizedTest
  @MethodSource("dev.restitch.serde.Samples#schemas")
  void shouldNotForgetToReleaseAField(Schema current) throws IOException {
    List<String> released =
        released(current.getName()).getFields().stream().map(Schema.Field::name).toList();

    assertThat(current.getFields())
        .filteredOn(field -> !released.contains(field.name()))
        .allMatch(Schema.Field::hasDefaultValue);
  }

  @Test
  void shouldNoticeABreach() throws IOException {
    String text = SchemaText.of(released("Gap"));
    Schema breach =
        SchemaText.parse(
            text.replace("\"fields\":[", "\"fields\":[{\"name\":\"must\",\"type\":\"int\"},"));

    assertThat(
            SchemaCompatibility.checkReaderWriterCompatibility(breach, released("Gap")).getType())
        .isEqualTo(SchemaCompatibility.SchemaCompatibilityType.INCOMPATIBLE);
  }

  private static Schema released(String record) throws IOException {
    String path = "/contract/" + record + ".avsc";
    try (InputStream in = SchemaContractTest.class.getResourceAsStream(path)) {
      assertThat(in).as("released schema %s", path).isNotNull();
      return SchemaText.parse(new String(in.readAllBytes(), UTF_8));
    }
  }
}
