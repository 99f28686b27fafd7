package dev.restitch.replay;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** Reads the time of a history line and nothing else. */
final class HistoryTime {

  private static final JsonFactory JSON = new JsonFactory();

  private HistoryTime() {}

  /**
   * The value of the line's own {@code at}.
   *
   * @throws HistoryException if there is none
   */
  static long of(long number, String line) {
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
