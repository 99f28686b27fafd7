package dev.restitch.doctor;

import java.util.LinkedHashMap;
import java.util.Map;

/** The {@code name:value} lines that servers answer. */
final class InfoText {

  private InfoText() {}

  static Map<String, String> parse(String text) {
    Map<String, String> fields = new LinkedHashMap<>();
    text.lines()
        .map(String::trim)
        .filter(line -> !line.startsWith("#") && line.indexOf(':') > 0)
        .forEach(
            line -> {
              int colon = line.indexOf(':');
              fields.put(line.substring(0, colon), line.substring(colon + 1));
            });
    return fields;
  }
}
