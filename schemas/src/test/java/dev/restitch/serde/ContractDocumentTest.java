package dev.restitch.serde;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.avro.Control;
import dev.restitch.avro.Incident;
import dev.restitch.avro.RepairCommand;
import dev.restitch.avro.RepairOutcome;
import dev.restitch.config.TopicsConfig;
import dev.restitch.topic.Topic;
import dev.restitch.topic.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Keeps {@code docs/contract.md} as the schemas are. What stands there between the marks is made
 * from them: run this test with {@code -Drestitch.docs.update=true} to write it anew.
 */
class ContractDocumentTest {

  private static final Path DOCUMENT = Path.of("../docs/contract.md");
  private static final String BEGIN = "<!-- generated: %s -->";
  private static final String END = "<!-- end of generated -->";

  private static final Map<Topic<?>, Schema> PUBLIC = new LinkedHashMap<>();

  static {
    PUBLIC.put(Topics.INCIDENTS, Incident.getClassSchema());
    PUBLIC.put(Topics.REPAIRS, RepairCommand.getClassSchema());
    PUBLIC.put(Topics.OUTCOMES, RepairOutcome.getClassSchema());
    PUBLIC.put(Topics.CONTROL, Control.getClassSchema());
  }

  static List<Topic<?>> topics() {
    return List.copyOf(PUBLIC.keySet());
  }

  @ParameterizedTest
  @MethodSource("topics")
  void shouldSayOfEveryFieldWhatItIs(Topic<?> topic) {
    for (Schema record : records(PUBLIC.get(topic))) {
      assertThat(record.getFields())
          .as(record.getName())
          .allMatch(field -> field.doc() != null && field.doc().endsWith("."));
    }
  }

  @ParameterizedTest
  @MethodSource("topics")
  void shouldDocumentTheSchemasAsTheyAre(Topic<?> topic) throws IOException {
    String name = topic.baseName();
    String text = Files.readString(DOCUMENT);
    int from = text.indexOf(BEGIN.formatted(name));
    assertThat(from).as("the place of %s in %s", name, DOCUMENT).isNotNegative();
    int to = text.indexOf(END, from);
    String expected = BEGIN.formatted(name) + "\n\n" + tables(topic) + "\n";
    if (Boolean.getBoolean("restitch.docs.update")) {
      Files.writeString(DOCUMENT, text.substring(0, from) + expected + text.substring(to));
      return;
    }

    assertThat(text.substring(from, to)).isEqualTo(expected);
  }

  @Test
  void shouldNameEveryTopic() throws IOException {
    String text = Files.readString(DOCUMENT);

    assertThat(Topics.all())
        .allMatch(t -> text.contains("`" + t.name(new TopicsConfig("restitch", 6, 1)) + "`"));
  }

  private static String tables(Topic<?> topic) {
    StringBuilder out = new StringBuilder();
    out.append(
        "Key: %s. Cleanup: `%s`.%n"
            .formatted(
                switch (topic.key()) {
                  case INCIDENT -> "`INSTANCE#INCIDENT`";
                  case INSTANCE -> "the instance";
                  case SETTING -> "`SETTING`, or `SETTING/SCOPE`";
                  case NODE, AUDITOR, RAW -> throw new IllegalStateException("not public");
                },
                topic.cleanup().policy()));
    for (Schema record : records(PUBLIC.get(topic))) {
      out.append("%n**%s**%s%n%n".formatted(record.getName(), about(record)));
      out.append("| field | type | default | meaning |\n|---|---|---|---|\n");
      for (Schema.Field field : record.getFields()) {
        out.append(
            "| `%s` | %s | %s | %s |%n"
                .formatted(field.name(), type(field.schema()), fallback(field), cell(field.doc())));
      }
    }
    return out.toString();
  }

  private static String about(Schema record) {
    return record.getDoc() == null ? "" : ". " + record.getDoc();
  }

  private static String cell(String doc) {
    return doc == null ? "" : doc.replace("|", "\\|");
  }

  private static String fallback(Schema.Field field) {
    if (!field.hasDefaultValue()) {
      return "";
    }
    Object value = field.defaultVal();
    return value == org.apache.avro.JsonProperties.NULL_VALUE ? "null" : "`" + value + "`";
  }

  private static String type(Schema schema) {
    return switch (schema.getType()) {
      case UNION ->
          schema.getTypes().stream()
              .filter(t -> t.getType() != Schema.Type.NULL)
              .map(ContractDocumentTest::type)
              .collect(Collectors.joining(" or ", "", " or null"));
      case ARRAY -> "array of " + type(schema.getElementType());
      case RECORD -> schema.getName();
      case ENUM ->
          "enum: "
              + schema.getEnumSymbols().stream()
                  .map(symbol -> "`" + symbol + "`")
                  .collect(Collectors.joining(" "));
      default -> schema.getType().getName().toLowerCase(Locale.ROOT);
    };
  }

  /** The record and those that it holds, each once. */
  private static List<Schema> records(Schema schema) {
    Map<String, Schema> found = new LinkedHashMap<>();
    collect(schema, found);
    return new ArrayList<>(found.values());
  }

  private static void collect(Schema schema, Map<String, Schema> found) {
    switch (schema.getType()) {
      case RECORD -> {
        if (found.putIfAbsent(schema.getFullName(), schema) == null) {
          schema.getFields().forEach(field -> collect(field.schema(), found));
        }
      }
      case ARRAY -> collect(schema.getElementType(), found);
      case UNION -> schema.getTypes().forEach(type -> collect(type, found));
      default -> {}
    }
  }
}
