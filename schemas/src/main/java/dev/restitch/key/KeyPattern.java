package dev.restitch.key;

import dev.restitch.model.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A key pattern such as <code>user:{id}:profile</code>. A capture takes one or more bytes without
 * {@code ':'}; literal braces are doubled. Immutable.
 */
public final class KeyPattern {

  private final String text;

  /** Literal, capture, literal, ..., literal: always one literal more than captures. */
  private final List<byte[]> literals;

  private final List<String> names;

  private KeyPattern(String text, List<byte[]> literals, List<String> names) {
    this.text = text;
    this.literals = List.copyOf(literals);
    this.names = List.copyOf(names);
  }

  /**
   * Parses a pattern.
   *
   * @throws IllegalArgumentException with a sentence that says what is wrong
   */
  public static KeyPattern parse(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("a key pattern is not empty");
    }
    List<byte[]> literals = new ArrayList<>();
    List<String> names = new ArrayList<>();
    StringBuilder literal = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      boolean doubled = at + 1 < text.length() && text.charAt(at + 1) == c;
      if (c == '{' && !doubled) {
        int close = text.indexOf('}', at);
        if (close < 0) {
          throw new IllegalArgumentException("'{' without '}' in key pattern " + text);
        }
        String name = text.substring(at + 1, close);
        if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
          throw new IllegalArgumentException(
              "'" + name + "' is not a capture name (letters, digits, _) in key pattern " + text);
        }
        if (names.contains(name)) {
          throw new IllegalArgumentException(
              "{" + name + "} is captured twice in key pattern " + text);
        }
        if (!names.isEmpty() && literal.isEmpty()) {
          throw new IllegalArgumentException(
              "two captures stand side by side in key pattern " + text);
        }
        literals.add(literal.toString().getBytes(StandardCharsets.UTF_8));
        literal.setLength(0);
        names.add(name);
        at = close + 1;
      } else if (c == '{' || c == '}') {
        if (!doubled) {
          throw new IllegalArgumentException(
              "'}' without '{' in key pattern " + text + "; a literal brace is doubled");
        }
        literal.append(c);
        at += 2;
      } else {
        literal.append(c);
        at++;
      }
    }
    literals.add(literal.toString().getBytes(StandardCharsets.UTF_8));
    return new KeyPattern(text, literals, names);
  }

  /** The names captured, in order. */
  public List<String> names() {
    return names;
  }

  /**
   * Matches a key.
   *
   * @return what {@link #names} captured, in their order; empty if the key does not match
   */
  public Optional<List<Bytes>> match(Bytes key) {
    byte[] k = key.toArray();
    byte[] first = literals.get(0);
    if (!regionMatches(k, 0, first)) {
      return Optional.empty();
    }
    List<Bytes> captured = new ArrayList<>(names.size());
    int at = first.length;
    for (int i = 0; i < names.size(); i++) {
      byte[] next = literals.get(i + 1);
      boolean last = i == names.size() - 1;
      int end = last ? k.length - next.length : indexOf(k, at + 1, next);
      if (end <= at || !regionMatches(k, end, next) || hasColon(k, at, end)) {
        return Optional.empty();
      }
      captured.add(Bytes.copyOf(k, at, end - at));
      at = end + next.length;
    }
    return at == k.length ? Optional.of(captured) : Optional.empty();
  }

  /** The key for these captures, given in the order of {@link #names}. */
  public Bytes format(List<Bytes> captures) {
    if (captures.size() != names.size()) {
      throw new IllegalArgumentException(
          text + " takes " + names.size() + " captures, not " + captures.size());
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(literals.get(0));
    for (int i = 0; i < names.size(); i++) {
      out.writeBytes(captures.get(i).toArray());
      out.writeBytes(literals.get(i + 1));
    }
    return Bytes.copyOf(out.toByteArray());
  }

  /**
   * True if some key matches both patterns. Decided on the patterns' segments between {@code ':'};
   * may say true where literals inside one segment make a common key impossible only by length.
   */
  public boolean overlaps(KeyPattern other) {
    String[] mine = segments(text);
    String[] theirs = segments(other.text);
    if (mine.length != theirs.length) {
      return false;
    }
    for (int i = 0; i < mine.length; i++) {
      if (!segmentsMeet(mine[i], theirs[i])) {
        return false;
      }
    }
    return true;
  }

  private static String[] segments(String pattern) {
    // \u0001 stands for a capture; braces of literals are undoubled
    String captures = pattern.replace("{{", "\u0002").replace("}}", "\u0003");
    captures = captures.replaceAll("\\{[^}]*\\}", "\u0001");
    return captures.split(":", -1);
  }

  private static boolean segmentsMeet(String a, String b) {
    boolean aOpen = a.indexOf('\u0001') >= 0;
    boolean bOpen = b.indexOf('\u0001') >= 0;
    if (!aOpen && !bOpen) {
      return a.equals(b);
    }
    if (aOpen && bOpen) {
      String aHead = a.substring(0, a.indexOf('\u0001'));
      String bHead = b.substring(0, b.indexOf('\u0001'));
      String aTail = a.substring(a.lastIndexOf('\u0001') + 1);
      String bTail = b.substring(b.lastIndexOf('\u0001') + 1);
      return (aHead.startsWith(bHead) || bHead.startsWith(aHead))
          && (aTail.endsWith(bTail) || bTail.endsWith(aTail));
    }
    String open = aOpen ? a : b;
    String literal = aOpen ? b : a;
    String regex =
        java.util.regex.Pattern.quote(open).replace("\u0001", "\\E.+\\Q").replace("\\Q\\E", "");
    return literal.matches(regex);
  }

  private static boolean hasColon(byte[] k, int from, int to) {
    for (int i = from; i < to; i++) {
      if (k[i] == ':') {
        return true;
      }
    }
    return false;
  }

  private static boolean regionMatches(byte[] k, int at, byte[] literal) {
    return at >= 0
        && k.length >= at + literal.length
        && Arrays.equals(k, at, at + literal.length, literal, 0, literal.length);
  }

  private static int indexOf(byte[] k, int from, byte[] literal) {
    for (int i = from; i + literal.length <= k.length; i++) {
      if (regionMatches(k, i, literal)) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyPattern that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
