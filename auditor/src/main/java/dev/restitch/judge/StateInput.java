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

  private final List<StoreKey> ownKeys;
  private final byte[] buffer;
  private int at;

  StateInput(List<StoreKey> ownKeys, byte[] buffer) {
    this.ownKeys = ownKeys;
    this.buffer = buffer;
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

  int count() {
    long n = number();
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
    int length = count();
    if (at + length > buffer.length) {
      throw new IllegalStateException("the state of an instance ends too early");
    }
    Bytes value = Bytes.copyOf(buffer, at, length);
    at += length;
    return value;
  }

  Bytes optionalBytes() {
    return flag() ? bytes() : null;
  }

  String text() {
    return flag() ? new String(bytes().toArray(), StandardCharsets.UTF_8) : null;
  }

  <E extends Enum<E>> E choice(E[] values) {
    long ordinal = number();
    if (ordinal >= values.length) {
      throw new IllegalStateException("the state of an instance was written by a newer version");
    }
    return ordinal < 0 ? null : values[(int) ordinal];
  }

  Stamp stamp() {
    return flag() ? new Stamp(optionalNumber(), bytes()) : null;
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
