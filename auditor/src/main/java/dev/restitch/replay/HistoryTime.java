package dev.restitch.replay;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** Reads the time of a history line and nothing else. */
final class HistoryTime {

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();
  private static final String TYPE_FIRST = "{\"type\":\"";
  private static final String THEN_AT = "\",\"at\":";
  private static final int MOST_DIGITS = 18;

  private HistoryTime() {}

  /**
   * The value of the line's own {@code at}.
   *
   * @throws HistoryException if there is none
   */
  static long of(long number, String line) {
    long plain = asWritten(line);
    return plain >= 0 ? plain : parsed(number, line);
  }

  /** The time of a line that begins as {@code export} writes it; -1 if it begins otherwise. */
  private static long asWritten(String line) {
    int quote = line.startsWith(TYPE_FIRST) ? line.indexOf('"', TYPE_FIRST.length()) : -1;
    if (quote < 0 || !line.startsWith(THEN_AT, quote)) {
      return -1;
    }
    long value = 0;
    int begin = quote + THEN_AT.length();
    for (int i = begin; i < line.length() && i <= begin + MOST_DIGITS; i++) {
      char c = line.charAt(i);
      if (c < '0' || c > '9') {
        return i > begin && (c == ',' || c == '}') ? value : -1;
      }
      value = 10 * value + (c - '0');
    }
    return -1;
  }

  private static long parsed(long number, String line) {
    try (JsonParser p = JSON.createParser(line)) {
      if (p.nextToken() != JsonToken.START_OBJECT) {
        throw new HistoryException(number, "not a JSON object");
      }
      while (p.nextToken() == JsonToken.FIELD_NAME) {
        String field = p.currentName();
        JsonToken value = p.nextToken();
        if ("at".equals(field) && value == JsonToken.VALUE_NUMBER_INT) {
          return p.getLongValue();
        }
        p.skipChildren();
      }
      throw new HistoryException(number, "\"at\" is missing");
    } catch (IOException e) {
      throw new HistoryException(number, "not JSON: " + e.getMessage());
    }
  }
}
