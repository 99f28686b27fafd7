package dev.restitch.judge;

import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/** A growing byte array: variable-length integers, and everything else on them. */
final class StateOutput {

  private final List<StoreKey> ownKeys;
  private final List<Stamp> stamps = new ArrayList<>(4);
  private final List<String> texts = new ArrayList<>(4);
  private byte[] buffer = new byte[256];
  private long base;
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

  /** Zero or greater. */
  void unsigned(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      raw((int) (rest & 0x7f | 0x80));
      rest >>>= 7;
    }
    raw((int) rest);
  }

  /** All times that follow are written as distances from this one. */
  void base(long time) {
    number(time);
    base = time;
  }

  /** A time; unknown ones are -1, and {@link Long#MAX_VALUE} means never. */
  void time(long value) {
    if (value == -1) {
      raw(0);
    } else if (value == Long.MAX_VALUE) {
      raw(1);
    } else {
      long distance = base - value;
      unsigned(((distance << 1) ^ (distance >> 63)) + 2);
    }
  }

  /** Tokens, run ids and digests are mostly lower-case hex digits, two of which fit in a byte. */
  void bytes(Bytes value) {
    int length = value.length();
    if (!isHex(value)) {
      unsigned((long) length << 1);
      for (int i = 0; i < length; i++) {
        raw(value.at(i));
      }
      return;
    }
    unsigned(length | 1);
    for (int i = 0; i < length; i += 2) {
      raw(digit(value.at(i)) << 4 | digit(value.at(i + 1)));
    }
  }

  private static boolean isHex(Bytes value) {
    int length = value.length();
    boolean hex = length % 2 == 0 && length > 0;
    for (int i = 0; hex && i < length; i++) {
      hex = digit(value.at(i)) >= 0;
    }
    return hex;
  }

  private static int digit(int c) {
    if (c >= '0' && c <= '9') {
      return c - '0';
    }
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  }

  void optional(Bytes value) {
    flag(value != null);
    if (value != null) {
      bytes(value);
    }
  }

  /** A text that was written before is only named. */
  void text(String value) {
    int known = value == null ? -1 : texts.indexOf(value);
    unsigned(value == null ? 0 : known + 2L);
    if (value != null && known < 0) {
      texts.add(value);
      bytes(Bytes.utf8(value));
    }
  }

  void choice(Enum<?> value) {
    number(value == null ? -1 : value.ordinal());
  }

  /** A stamp that was written before is only named. */
  void stamp(Stamp value) {
    int known = value == null ? -1 : stamps.indexOf(value);
    unsigned(value == null ? 0 : known + 2L);
    if (value != null && known < 0) {
      stamps.add(value);
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
