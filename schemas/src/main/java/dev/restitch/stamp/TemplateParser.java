package dev.restitch.stamp;

import dev.restitch.stamp.StampTemplate.Field;
import dev.restitch.stamp.StampTemplate.Part;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads the text of a stamp template. */
final class TemplateParser {

  private TemplateParser() {}

  static StampTemplate parse(String text) {
    if (!text.endsWith("{payload}")) {
      throw new IllegalArgumentException(
          "a stamp template ends with {payload}, for example {version}:{token}:{payload}");
    }
    String head = text.substring(0, text.length() - "{payload}".length());
    int first = head.indexOf('{');
    if (first < 0) {
      throw new IllegalArgumentException(
          "a stamp template names {version}, {timestamp} or {token} before {payload}");
    }
    byte[] lead = head.substring(0, first).getBytes(StandardCharsets.UTF_8);
    List<Part> parts = new ArrayList<>();
    int at = first;
    while (at < head.length()) {
      int close = head.indexOf('}', at);
      if (head.charAt(at) != '{' || close < 0) {
        throw new IllegalArgumentException("unbalanced braces in stamp template " + text);
      }
      Field field = field(head.substring(at + 1, close));
      if (parts.stream().anyMatch(p -> p.field == field)) {
        throw new IllegalArgumentException("a field stands twice in stamp template " + text);
      }
      int next = head.indexOf('{', close);
      String separator = head.substring(close + 1, next < 0 ? head.length() : next);
      checkSeparator(field, separator, text);
      parts.add(new Part(field, separator.getBytes(StandardCharsets.UTF_8)));
      at = next < 0 ? head.length() : next;
    }
    return new StampTemplate(text, lead, parts);
  }

  private static Field field(String name) {
    return switch (name) {
      case "version", "timestamp" -> Field.VERSION;
      case "token" -> Field.TOKEN;
      default ->
          throw new IllegalArgumentException(
              "unknown field {"
                  + name
                  + "} in stamp template; known are {version}, {timestamp}, {token}, {payload}");
    };
  }

  private static void checkSeparator(Field field, String separator, String text) {
    if (separator.isEmpty()) {
      throw new IllegalArgumentException(
          "a separator must follow each field of stamp template " + text);
    }
    if (field == Field.VERSION && Character.isDigit(separator.charAt(0))) {
      throw new IllegalArgumentException(
          "the separator after a version does not start with a digit, in stamp template " + text);
    }
  }
}
