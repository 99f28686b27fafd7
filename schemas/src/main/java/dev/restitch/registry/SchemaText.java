package dev.restitch.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;

/** Schemas as the registry's other users see them. */
public final class SchemaText {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String JAVA_STRING = "avro.java.string";

  private SchemaText() {}

  /** The schema's JSON without what concerns only Java's generated classes. */
  public static String of(Schema schema) {
    return parse(withoutJava(schema)).toString();
  }

  /** The schema without what concerns only Java's generated classes. */
  public static Schema portable(Schema schema) {
    return parse(withoutJava(schema));
  }

  /**
   * Parses a schema that stands alone.
   *
   * @throws SchemaParseException if it is not a valid Avro schema
   */
  public static Schema parse(String text) {
    return new Schema.Parser().parse(text);
  }

  private static String withoutJava(Schema schema) {
    try {
      JsonNode tree = JSON.readTree(schema.toString());
      strip(tree);
      return tree.toString();
    } catch (JsonProcessingException e) {
      throw new SchemaParseException(e);
    }
  }

  private static void strip(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.remove(JAVA_STRING);
    }
    node.forEach(SchemaText::strip);
  }
}
