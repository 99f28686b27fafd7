package dev.restitch.replay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.restitch.judge.Reading.State;
import dev.restitch.model.Bytes;
import java.util.Base64;

/** Typed access to the fields of one history line; every fault names the field. */
final class HistoryFields {

  private final JsonNode node;

  HistoryFields(JsonNode node) {
    this.node = node;
  }

  boolean has(String field) {
    return node.hasNonNull(field);
  }

  String text(String field) {
    JsonNode value = required(field);
    if (!value.isTextual()) {
      throw new IllegalArgumentException("\"" + field + "\" is not a string");
    }
    return value.textValue();
  }

  String textOr(String field, String fallback) {
    return has(field) ? text(field) : fallback;
  }

  long number(String field) {
    JsonNode value = required(field);
    if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
      throw new IllegalArgumentException(
          "\"" + field + "\" is not a whole number from 0 to 2^63 - 1");
    }
    return value.longValue();
  }

  Long numberOrNull(String field) {
    return has(field) ? Long.valueOf(number(field)) : null;
  }

  boolean isFlag(String field) {
    return has(field) && node.get(field).isBoolean();
  }

  boolean flagOr(String field, boolean fallback) {
    if (!has(field)) {
      return fallback;
    }
    JsonNode value = node.get(field);
    if (!value.isBoolean()) {
      throw new IllegalArgumentException("\"" + field + "\" is not true or false");
    }
    return value.booleanValue();
  }

  /** Bytes given as text, or as base64 in the field with {@code 64} behind its name. */
  Bytes bytes(String field) {
    Bytes bytes = bytesOrNull(field);
    if (bytes == null) {
      throw new IllegalArgumentException("\"" + field + "\" is missing");
    }
    return bytes;
  }

  Bytes bytesOrNull(String field) {
    if (has(field)) {
      return Bytes.utf8(text(field));
    }
    return has(field + "64") ? base64(text(field + "64")) : null;
  }

  static Bytes base64(String text) {
    try {
      return Bytes.copyOf(Base64.getDecoder().decode(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("not base64: " + e.getMessage(), e);
    }
  }

  /** The text of an element of a list. */
  static String text(JsonNode element) {
    if (!element.isTextual()) {
      throw new IllegalArgumentException("a list of strings holds something else");
    }
    return element.textValue();
  }

  /**
   * The value of that name, in whatever case.
   *
   * @throws IllegalArgumentException if there is none
   */
  static <E extends Enum<E>> E enumOf(Class<E> type, String text, String field) {
    for (E value : type.getEnumConstants()) {
      if (value.name().equalsIgnoreCase(text) && value != State.UNKNOWN) {
        return value;
      }
    }
    throw new IllegalArgumentException(
        "\"" + field + "\" is \"" + text + "\", which is none of the known values");
  }

  JsonNode array(String field) {
    JsonNode value = required(field);
    if (!value.isArray()) {
      throw new IllegalArgumentException("\"" + field + "\" is not a list");
    }
    return value;
  }

  JsonNode object(String field) {
    JsonNode value = required(field);
    if (!value.isObject()) {
      throw new IllegalArgumentException("\"" + field + "\" is not an object");
    }
    return value;
  }

  private JsonNode required(String field) {
    JsonNode value = node.get(field);
    if (value == null || value.isNull()) {
      throw new IllegalArgumentException("\"" + field + "\" is missing");
    }
    return value;
  }
}
