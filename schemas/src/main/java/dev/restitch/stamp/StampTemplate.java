package dev.restitch.stamp;

import dev.restitch.model.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A configured stamp codec, such as <code>{version}:{token}:{payload}</code>. The payload stands
 * last and may contain anything; a version is decimal digits without leading zeros; a token is one
 * or more bytes without the literal that follows it. <code>{timestamp}</code> is another name of
 * <code>{version}</code>. Immutable.
 */
public final class StampTemplate {

  private enum Field {
    VERSION,
    TOKEN
  }

  private record Part(Field field, byte[] separator) {}

  private final String text;
  private final byte[] lead;
  private final List<Part> parts;

  private StampTemplate(String text, byte[] lead, List<Part> parts) {
    this.text = text;
    this.lead = lead;
    this.parts = List.copyOf(parts);
  }

  /**
   * Parses a template.
   *
   * @throws IllegalArgumentException with a sentence that says what would be right
   */
  public static StampTemplate parse(String text) {
    Objects.requireNonNull(text, "text");
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
      Field field =
          switch (head.substring(at + 1, close)) {
            case "version", "timestamp" -> Field.VERSION;
            case "token" -> Field.TOKEN;
            default ->
                throw new IllegalArgumentException(
                    "unknown field {"
                        + head.substring(at + 1, close)
                        + "} in stamp template; known are {version}, {timestamp}, {token},"
                        + " {payload}");
          };
      if (parts.stream().anyMatch(p -> p.field() == field)) {
        throw new IllegalArgumentException("a field stands twice in stamp template " + text);
      }
      int next = head.indexOf('{', close);
      String separator = head.substring(close + 1, next < 0 ? head.length() : next);
      if (separator.isEmpty()) {
        throw new IllegalArgumentException(
            "a separator must follow each field of stamp template " + text);
      }
      parts.add(new Part(field, separator.getBytes(StandardCharsets.UTF_8)));
      at = next < 0 ? head.length() : next;
    }
    return new StampTemplate(text, lead, parts);
  }

  public boolean hasVersion() {
    return parts.stream().anyMatch(p -> p.field() == Field.VERSION);
  }

  public boolean hasToken() {
    return parts.stream().anyMatch(p -> p.field() == Field.TOKEN);
  }

  /** The literal bytes before the first field; often empty. */
  public Bytes lead() {
    return Bytes.copyOf(lead);
  }

  /** True if the first field is the version, so that a server-side script can compare it. */
  public boolean startsWithVersion() {
    return parts.get(0).field() == Field.VERSION;
  }

  /** The literal that follows the first field. */
  public Bytes firstSeparator() {
    return Bytes.copyOf(parts.get(0).separator());
  }

  /**
   * Reads the stamp at the beginning of a value.
   *
   * @param value the value, or at least its first bytes up to the payload
   * @return the stamp and where the payload starts; empty if the value is not stamped
   */
  public Optional<Parsed> read(byte[] value) {
    if (!startsWith(value, 0, lead)) {
      return Optional.empty();
    }
    int at = lead.length;
    Long version = null;
    Bytes token = Bytes.EMPTY;
    for (Part part : parts) {
      int end = indexOf(value, at, part.separator());
      if (end <= at) {
        return Optional.empty();
      }
      if (part.field() == Field.VERSION) {
        long v = parseVersion(value, at, end);
        if (v < 0) {
          return Optional.empty();
        }
        version = v;
      } else {
        token = Bytes.copyOf(value, at, end - at);
      }
      at = end + part.separator().length;
    }
    return Optional.of(new Parsed(new Stamp(version, token), at));
  }

  /**
   * The bytes that stand before the payload.
   *
   * @throws IllegalArgumentException if the stamp lacks a field, or its token contains the literal
   *     that would end it
   */
  public byte[] prefix(Stamp stamp) {
    java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
    out.writeBytes(lead);
    for (Part part : parts) {
      if (part.field() == Field.VERSION) {
        if (stamp.version() == null || stamp.version() < 0) {
          throw new IllegalArgumentException("stamp template " + text + " needs a version >= 0");
        }
        out.writeBytes(Long.toString(stamp.version()).getBytes(StandardCharsets.US_ASCII));
      } else {
        byte[] token = stamp.token().toArray();
        if (token.length == 0 || indexOf(token, 0, part.separator()) >= 0) {
          throw new IllegalArgumentException(
              "a token has at least one byte and does not contain its separator");
        }
        out.writeBytes(token);
      }
      out.writeBytes(part.separator());
    }
    return out.toByteArray();
  }

  /** The whole value: {@link #prefix} and payload. */
  public byte[] write(Stamp stamp, byte[] payload) {
    byte[] prefix = prefix(stamp);
    byte[] value = java.util.Arrays.copyOf(prefix, prefix.length + payload.length);
    System.arraycopy(payload, 0, value, prefix.length, payload.length);
    return value;
  }

  private static long parseVersion(byte[] value, int from, int to) {
    if (to - from > 19 || (value[from] == '0' && to - from > 1)) {
      return -1;
    }
    long v = 0;
    for (int i = from; i < to; i++) {
      int digit = value[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      v = v * 10 + digit;
      if (v < 0) {
        return -1;
      }
    }
    return v;
  }

  private static boolean startsWith(byte[] value, int at, byte[] literal) {
    return value.length >= at + literal.length
        && java.util.Arrays.equals(value, at, at + literal.length, literal, 0, literal.length);
  }

  private static int indexOf(byte[] value, int from, byte[] literal) {
    for (int i = from; i + literal.length <= value.length; i++) {
      if (startsWith(value, i, literal)) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StampTemplate that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }

  /**
   * A stamp that was read.
   *
   * @param payloadOffset index of the payload's first byte
   */
  public record Parsed(Stamp stamp, int payloadOffset) {}
}
