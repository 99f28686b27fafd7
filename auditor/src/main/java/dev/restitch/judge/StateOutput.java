package dev.restitch.judge;

import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/** A growing byte array: variable-length integers, and everything else on them. */
final class StateOutput {

  private final List<StoreKey> ownKeys;
  private byte[] buffer = new byte[256];
  private int size;

  StateOutput(List<StoreKey> ownKeys) {
    this.ownKeys = ownKeys;
  }

  byte[] toByteArray() {
    return Arrays.copyOf(buffer, size);
  }

  void raw(int b) {
    if (size == buffer.length) {
      buffer = Arrays.copyOf(buffer, size * 2);
    }
    buffer[size++] = (byte) b;
  }

  /** A signed number, zigzag-coded so that small ones of either sign are short. */
  void number(long value) {
    long rest = (value << 1) ^ (value >> 63);
    while ((rest & ~0x7fL) != 0) {
      raw((int) (rest & 0x7f | 0x80));
      rest >>>= 7;
    }
    raw((int) rest);
  }

  void flag(boolean value) {
    raw(value ? 1 : 0);
  }

  void optional(Long value) {
    flag(value != null);
    if (value != null) {
      number(value);
    }
  }

  void bytes(byte[] value) {
    number(value.length);
    for (byte b : value) {
      raw(b);
    }
  }

  void bytes(Bytes value) {
    bytes(value.toArray());
  }

  void optional(Bytes value) {
    flag(value != null);
    if (value != null) {
      bytes(value);
    }
  }

  void text(String value) {
    flag(value != null);
    if (value != null) {
      bytes(value.getBytes(StandardCharsets.UTF_8));
    }
  }

  void choice(Enum<?> value) {
    number(value == null ? -1 : value.ordinal());
  }

  void stamp(Stamp value) {
    flag(value != null);
    if (value != null) {
      optional(value.version());
      bytes(value.token());
    }
  }

  /** A key: its side's number, or -1 and store and key for another instance's. */
  void key(StoreKey value) {
    int side = value == null ? -2 : ownKeys.indexOf(value);
    number(side);
    if (side == -1) {
      text(value.store());
      bytes(value.key());
    }
  }

  <T> void list(Collection<T> values, Consumer<T> write) {
    number(values.size());
    values.forEach(write);
  }
}
