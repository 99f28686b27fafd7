package dev.restitch.judge;

import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Reads what {@link StateOutput} wrote; running over the end is an {@link IllegalStateException}.
 */
final class StateInput {

  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private final List<StoreKey> ownKeys;
  private final byte[] buffer;
  private final List<Stamp> stamps = new ArrayList<>(4);
  private final List<String> texts = new ArrayList<>(4);
  private int at;
  private long base;

  StateInput(List<StoreKey> ownKeys, byte[] buffer, int from) {
    this.ownKeys = ownKeys;
    this.buffer = buffer;
    this.at = from;
  }

  int raw() {
    if (at >= buffer.length) {
      throw new IllegalStateException("the state of an instance ends too early");
    }
    return buffer[at++] & 0xff;
  }

  long number() {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      int b = raw();
      value |= (long) (b & 0x7f) << shift;
      if ((b & 0x80) == 0) {
        return (value >>> 1) ^ -(value & 1);
      }
    }
    throw new IllegalStateException("a number in the state of an instance is too long");
  }

  long unsigned() {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      int b = raw();
      value |= (long) (b & 0x7f) << shift;
      if ((b & 0x80) == 0) {
        return value;
      }
    }
    throw new IllegalStateException("a number in the state of an instance is too long");
  }

  long base() {
    base = number();
    return base;
  }

  long time() {
    long coded = unsigned();
    if (coded < 2) {
      return coded == 0 ? -1 : Long.MAX_VALUE;
    }
    coded -= 2;
    return base - ((coded >>> 1) ^ -(coded & 1));
  }

  int count() {
    return possible(number());
  }

  private int possible(long n) {
    if (n < 0 || n > buffer.length) {
      throw new IllegalStateException("a length in the state of an instance is impossible");
    }
    return (int) n;
  }

  boolean flag() {
    return raw() != 0;
  }

  Long optionalNumber() {
    return flag() ? Long.valueOf(number()) : null;
  }

  Bytes bytes() {
    long coded = unsigned();
    boolean hex = (coded & 1) != 0;
    int length = possible(coded >>> 1);
    if (at + length > buffer.length) {
      throw new IllegalStateException("the state of an instance ends too early");
    }
    Bytes value = hex ? digits(length) : Bytes.copyOf(buffer, at, length);
    at += length;
    return value;
  }

  private Bytes digits(int pairs) {
    byte[] digits = new byte[2 * pairs];
    for (int i = 0; i < pairs; i++) {
      digits[2 * i] = HEX[buffer[at + i] >> 4 & 15];
      digits[2 * i + 1] = HEX[buffer[at + i] & 15];
    }
    return Bytes.copyOf(digits);
  }

  Bytes optionalBytes() {
    return flag() ? bytes() : null;
  }

  String text() {
    long known = unsigned();
    if (known == 1) {
      texts.add(new String(bytes().toArray(), StandardCharsets.UTF_8));
      return texts.get(texts.size() - 1);
    }
    return known == 0 ? null : texts.get(known(known, texts.size()));
  }

  private static int known(long coded, int size) {
    if (coded - 2 >= size) {
      throw new IllegalStateException("the state of an instance names what it does not hold");
    }
    return (int) (coded - 2);
  }

  <E extends Enum<E>> E choice(E[] values) {
    long ordinal = number();
    if (ordinal >= values.length) {
      throw new IllegalStateException("the state of an instance was written by a newer version");
    }
    return ordinal < 0 ? null : values[(int) ordinal];
  }

  Stamp stamp() {
    long known = unsigned();
    if (known == 1) {
      stamps.add(new Stamp(optionalNumber(), bytes()));
      return stamps.get(stamps.size() - 1);
    }
    return known == 0 ? null : stamps.get(known(known, stamps.size()));
  }

  StoreKey key() {
    long side = number();
    if (side == -2) {
      return null;
    }
    if (side == -1) {
      return new StoreKey(text(), bytes());
    }
    return ownKeys.get((int) side);
  }

  <T> List<T> list(Supplier<T> read) {
    int n = count();
    List<T> values = new ArrayList<>(n);
    for (int i = 0; i < n; i++) {
      values.add(read.get());
    }
    return values;
  }
}
