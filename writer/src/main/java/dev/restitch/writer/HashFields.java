package dev.restitch.writer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.restitch.model.Bytes;
import java.io.IOException;
import java.util.Base64;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The payload of a hash: its fields without those of the stamp, written as a JSON object in UTF-8.
 * Text stands for its bytes, a number or a truth value for what it reads, an object or a list for
 * its own JSON, {@code {"base64": "…"}} for bytes that are no text; null leaves the field out.
 * Names of fields are text. Immutable.
 *
 * @param fields by name, in the order of unsigned bytes
 */
public record HashFields(Map<Bytes, Bytes> fields) {

  private static final String BASE64 = "base64";

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  public HashFields {
    fields = Collections.unmodifiableMap(new TreeMap<>(fields));
  }

  /**
   * Reads a payload.
   *
   * @throws IllegalArgumentException with a sentence that quotes nothing of it
   */
  public static HashFields parse(Bytes payload) {
    JsonNode node;
    try {
      node = MAPPER.readTree(payload.toArray());
    } catch (IOException e) {
      throw new IllegalArgumentException("the payload of a hash is not JSON");
    }
    if (!(node instanceof ObjectNode object)) {
      throw new IllegalArgumentException("the payload of a hash is no JSON object");
    }
    Map<Bytes, Bytes> fields = new TreeMap<>();
    object
        .properties()
        .forEach(
            entry ->
                value(entry.getValue()).ifPresent(v -> fields.put(Bytes.utf8(entry.getKey()), v)));
    return new HashFields(fields);
  }

  private static Optional<Bytes> value(JsonNode node) {
    if (node.isNull()) {
      return Optional.empty();
    }
    if (node.isObject() && node.size() == 1 && node.path(BASE64).isTextual()) {
      return Optional.of(Bytes.copyOf(Base64.getDecoder().decode(node.path(BASE64).textValue())));
    }
    return Optional.of(Bytes.utf8(node.isTextual() ? node.textValue() : node.toString()));
  }

  /** True if every name is text, so that {@link #payload} can say it. */
  public boolean named() {
    return fields.keySet().stream().allMatch(name -> name.asUtf8().isPresent());
  }

  /**
   * The payload, always in the same bytes.
   *
   * @throws IllegalArgumentException if the name of a field is not text
   */
  public Bytes payload() {
    ObjectNode object = MAPPER.createObjectNode();
    fields.forEach(
        (name, value) -> {
          String key =
              name.asUtf8()
                  .orElseThrow(() -> new IllegalArgumentException("a field's name is not text"));
          Optional<String> text = value.asUtf8();
          if (text.isPresent()) {
            object.put(key, text.get());
          } else {
            object.putObject(key).put(BASE64, Base64.getEncoder().encodeToString(value.toArray()));
          }
        });
    try {
      return Bytes.copyOf(MAPPER.writeValueAsBytes(object));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an object of texts can always be written as JSON", e);
    }
  }

  /** Never the values. */
  @Override
  public String toString() {
    return "HashFields[" + fields.size() + " fields]";
  }
}
