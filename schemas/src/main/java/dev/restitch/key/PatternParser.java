package dev.restitch.key;

import dev.restitch.model.Bytes;
import java.util.ArrayList;
import java.util.List;

/** Reads the text of one key pattern. Used once. */
final class PatternParser {

  private final String text;
  private final List<Bytes> literals = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final StringBuilder literal = new StringBuilder();
  private int at;

  PatternParser(String text) {
    this.text = text;
  }

  KeyPattern parse() {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("a key pattern is not empty");
    }
    while (at < text.length()) {
      char c = text.charAt(at);
      boolean doubled = at + 1 < text.length() && text.charAt(at + 1) == c;
      if ((c == '{' || c == '}') && doubled) {
        literal.append(c);
        at += 2;
      } else if (c == '{') {
        capture();
      } else if (c == '}') {
        throw new IllegalArgumentException(
            "'}' without '{' in key pattern " + text + "; a literal brace is doubled");
      } else {
        literal.append(c);
        at++;
      }
    }
    endLiteral();
    return new KeyPattern(text, literals, names);
  }

  private void capture() {
    int close = text.indexOf('}', at);
    if (close < 0) {
      throw new IllegalArgumentException(
          "'{' without '}' in key pattern " + text + "; a literal brace is doubled");
    }
    String name = text.substring(at + 1, close);
    if (!isName(name)) {
      throw new IllegalArgumentException(
          "'" + name + "' is not a capture name (letters, digits, _) in key pattern " + text);
    }
    if (names.contains(name)) {
      throw new IllegalArgumentException("{" + name + "} is captured twice in key pattern " + text);
    }
    if (!names.isEmpty() && literal.isEmpty()) {
      throw new IllegalArgumentException("two captures stand side by side in key pattern " + text);
    }
    endLiteral();
    names.add(name);
    at = close + 1;
  }

  private void endLiteral() {
    literals.add(Bytes.utf8(literal.toString()));
    literal.setLength(0);
  }

  private static boolean isName(String name) {
    return name.matches("[A-Za-z_][A-Za-z0-9_]*");
  }
}
