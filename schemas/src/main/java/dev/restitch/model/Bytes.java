package dev.restitch.model;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * An immutable byte string: keys and tokens are bytes and need not be UTF-8. Ordered as unsigned
 * bytes. Thread-safe.
 */
public final class Bytes implements Comparable<Bytes> {

  /** The empty byte string. */
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] value;
  private int hash;

  private Bytes(byte[] value) {
    this.value = value;
  }

  /** Copies the array. */
  public static Bytes copyOf(byte[] value) {
    return new Bytes(value.clone());
  }

  /** Copies {@code length} bytes from {@code offset}. */
  public static Bytes copyOf(byte[] value, int offset, int length) {
    return new Bytes(Arrays.copyOfRange(value, offset, offset + length));
  }

  /** Copies the remaining bytes; the buffer's position does not move. */
  public static Bytes copyOf(ByteBuffer buffer) {
    byte[] copy = new byte[buffer.remaining()];
    buffer.duplicate().get(copy);
    return new Bytes(copy);
  }

  /** The UTF-8 bytes of the text. */
  public static Bytes utf8(String text) {
    return new Bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** One byte string made of all the parts, in order. */
  public static Bytes concat(List<Bytes> parts) {
    int length = 0;
    for (Bytes part : parts) {
      length += part.value.length;
    }
    byte[] joined = new byte[length];
    int at = 0;
    for (Bytes part : parts) {
      System.arraycopy(part.value, 0, joined, at, part.value.length);
      at += part.value.length;
    }
    return new Bytes(joined);
  }

  /** A copy of the bytes. */
  public byte[] toArray() {
    return value.clone();
  }

  /** A read-only view. */
  public ByteBuffer toBuffer() {
    return ByteBuffer.wrap(value).asReadOnlyBuffer();
  }

  public int length() {
    return value.length;
  }

  public boolean isEmpty() {
    return value.length == 0;
  }

  public byte at(int index) {
    return value[index];
  }

  /** True if {@code part} stands at {@code offset}; false where it would reach past either end. */
  public boolean matchesAt(int offset, Bytes part) {
    int end = offset + part.value.length;
    return offset >= 0
        && end <= value.length
        && Arrays.equals(value, offset, end, part.value, 0, part.value.length);
  }

  public boolean startsWith(Bytes prefix) {
    return matchesAt(0, prefix);
  }

  public boolean endsWith(Bytes suffix) {
    return matchesAt(value.length - suffix.value.length, suffix);
  }

  /** Where {@code part} first stands at or after {@code from}; -1 if nowhere. */
  public int indexOf(Bytes part, int from) {
    int last = value.length - part.value.length;
    for (int i = Math.max(from, 0); i <= last; i++) {
      if (matchesAt(i, part)) {
        return i;
      }
    }
    return -1;
  }

  /** The bytes from {@code from} (inclusive) to {@code to} (exclusive). */
  public Bytes slice(int from, int to) {
    return new Bytes(Arrays.copyOfRange(value, from, to));
  }

  /** The text, where the bytes are valid UTF-8. */
  public Optional<String> asUtf8() {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  @Override
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(value, other.value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that && Arrays.equals(value, that.value);
  }

  @Override
  public int hashCode() {
    int h = hash;
    if (h == 0) {
      h = Arrays.hashCode(value);
      hash = h;
    }
    return h;
  }

  /** For people: UTF-8 text with what is not printable escaped as {@code \xNN}. */
  @Override
  public String toString() {
    Optional<String> text = asUtf8();
    if (text.isPresent() && text.get().codePoints().noneMatch(Character::isISOControl)) {
      return text.get();
    }
    StringBuilder out = new StringBuilder();
    for (byte b : value) {
      if (b >= 0x20 && b < 0x7f) {
        out.append((char) b);
      } else {
        out.append(String.format("\\x%02x", b & 0xff));
      }
    }
    return out.toString();
  }
}
