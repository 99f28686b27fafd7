package dev.restitch.stamp;

import dev.restitch.model.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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

  private static final int MAX_VERSION_DIGITS = 19;

  enum Field {
    VERSION,
    TOKEN
  }

  /** A field and the literal that ends it. */
  static final class Part {
    final Field field;
    final byte[] separator;

    Part(Field field, byte[] separator) {
      this.field = field;
      this.separator = separator;
    }
  }

  private final String text;
  private final byte[] lead;
  private final List<Part> parts;

  StampTemplate(String text, byte[] lead, List<Part> parts) {
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
    return TemplateParser.parse(text);
  }

  public boolean hasVersion() {
    return parts.stream().anyMatch(p -> p.field == Field.VERSION);
  }

  public boolean hasToken() {
    return parts.stream().anyMatch(p -> p.field == Field.TOKEN);
  }

  /**
   * One field of the stamp, for those who read stamps elsewhere, such as a script.
   *
   * @param version true: the version; false: the token
   * @param end the literal that follows it
   */
  public record Step(boolean version, Bytes end) {}

  /** The fields before the payload, in order; {@link #lead} stands before the first. */
  public List<Step> steps() {
    return parts.stream()
        .map(part -> new Step(part.field == Field.VERSION, Bytes.copyOf(part.separator)))
        .toList();
  }

  /** The literal bytes before the first field; often empty. */
  public Bytes lead() {
    return Bytes.copyOf(lead);
  }

  /** True if the first field is the version, so that a server-side script can compare it. */
  public boolean startsWithVersion() {
    return parts.get(0).field == Field.VERSION;
  }

  /** The literal that follows the first field. */
  public Bytes firstSeparator() {
    return Bytes.copyOf(parts.get(0).separator);
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
      boolean isVersion = part.field == Field.VERSION;
      int end = isVersion ? endOfDigits(value, at) : indexOf(value, at, part.separator);
      if (end <= at || !startsWith(value, end, part.separator)) {
        return Optional.empty();
      }
      if (isVersion) {
        long v = parseVersion(value, at, end);
        if (v < 0) {
          return Optional.empty();
        }
        version = v;
      } else {
        token = Bytes.copyOf(value, at, end - at);
      }
      at = end + part.separator.length;
    }
    return Optional.of(new Parsed(new Stamp(version, token), at));
  }

  /**
   * The bytes that stand before the payload.
   *
   * @throws IllegalArgumentException if the stamp lacks a field, or its token would be read back as
   *     another one because the literal that ends it stands in it, or begins in it
   */
  public byte[] prefix(Stamp stamp) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(lead);
    for (Part part : parts) {
      if (part.field == Field.VERSION) {
        if (stamp.version() == null || stamp.version() < 0) {
          throw new IllegalArgumentException("stamp template " + text + " needs a version >= 0");
        }
        out.writeBytes(Long.toString(stamp.version()).getBytes(StandardCharsets.US_ASCII));
      } else {
        byte[] token = stamp.token().toArray();
        if (token.length == 0 || !endsAtItsSeparator(token, part.separator)) {
          throw new IllegalArgumentException(
              "a token has at least one byte and does not contain its separator");
        }
        out.writeBytes(token);
      }
      out.writeBytes(part.separator);
    }
    return out.toByteArray();
  }

  /** The whole value: {@link #prefix} and payload. */
  public byte[] write(Stamp stamp, byte[] payload) {
    byte[] prefix = prefix(stamp);
    byte[] value = Arrays.copyOf(prefix, prefix.length + payload.length);
    System.arraycopy(payload, 0, value, prefix.length, payload.length);
    return value;
  }

  /**
   * False for a token such as {@code a:} before {@code ::}, which would be read back as {@code a}.
   */
  private static boolean endsAtItsSeparator(byte[] token, byte[] separator) {
    byte[] both = Arrays.copyOf(token, token.length + separator.length);
    System.arraycopy(separator, 0, both, token.length, separator.length);
    return indexOf(both, 0, separator) == token.length;
  }

  private static int endOfDigits(byte[] value, int from) {
    int end = from;
    while (end < value.length
        && end - from <= MAX_VERSION_DIGITS
        && value[end] >= '0'
        && value[end] <= '9') {
      end++;
    }
    return end;
  }

  /** The version, or -1 where it has leading zeros or does not fit a long. */
  private static long parseVersion(byte[] value, int from, int to) {
    if (to - from > MAX_VERSION_DIGITS || (value[from] == '0' && to - from > 1)) {
      return -1;
    }
    long v = 0;
    for (int i = from; i < to; i++) {
      v = v * 10 + (value[i] - '0');
      if (v < 0) {
        return -1;
      }
    }
    return v;
  }

  private static boolean startsWith(byte[] value, int at, byte[] literal) {
    return value.length >= at + literal.length
        && Arrays.equals(value, at, at + literal.length, literal, 0, literal.length);
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
