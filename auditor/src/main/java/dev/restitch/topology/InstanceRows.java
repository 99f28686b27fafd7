package dev.restitch.topology;

import java.util.Arrays;

/**
 * The rows of an {@link InstanceTable}: each one array of a length, a key and perhaps a state. A
 * free row is used again. Not thread-safe.
 */
final class InstanceRows {

  private static final int FIRST_ROWS = 1024;

  private byte[][] arrays = new byte[FIRST_ROWS][];
  private int[] hashes = new int[FIRST_ROWS];
  private int[] free = new int[16];
  private int freeCount;
  private int end;
  private int withState;

  int used() {
    return end - freeCount;
  }

  /** Rows with a state. */
  int withState() {
    return withState;
  }

  /** One more than the greatest row ever used. */
  int end() {
    return end;
  }

  int hash(int row) {
    return hashes[row];
  }

  byte[] array(int row) {
    return arrays[row];
  }

  /** Takes a row for a key, without a state. */
  int take(byte[] key, int hash) {
    int row = freeCount > 0 ? free[--freeCount] : end++;
    if (row == arrays.length) {
      arrays = Arrays.copyOf(arrays, row * 2);
      hashes = Arrays.copyOf(hashes, row * 2);
    }
    if (key.length > 0x7fff) {
      throw new IllegalArgumentException("the name of an instance is longer than 32,767 bytes");
    }
    hashes[row] = hash;
    arrays[row] = begin(key, 0, key.length, 0);
    return row;
  }

  /** One byte of length for short keys, else two of which the first has its highest bit set. */
  private static byte[] begin(byte[] key, int from, int length, int stateLength) {
    int head = length < 0x80 ? 1 : 2;
    byte[] array = new byte[head + length + stateLength];
    if (head == 1) {
      array[0] = (byte) length;
    } else {
      array[0] = (byte) (0x80 | length >> 8);
      array[1] = (byte) length;
    }
    System.arraycopy(key, from, array, head, length);
    return array;
  }

  private static int keyAt(byte[] array) {
    return array[0] < 0 ? 2 : 1;
  }

  private static int keyLength(byte[] array) {
    return array[0] < 0 ? (array[0] & 0x7f) << 8 | array[1] & 0xff : array[0];
  }

  int stateAt(int row) {
    byte[] array = arrays[row];
    return keyAt(array) + keyLength(array);
  }

  boolean hasState(int row) {
    byte[] array = arrays[row];
    return array != null && array.length > keyAt(array) + keyLength(array);
  }

  boolean hasKey(int row, byte[] key) {
    byte[] array = arrays[row];
    int at = keyAt(array);
    return keyLength(array) == key.length
        && Arrays.equals(array, at, at + key.length, key, 0, key.length);
  }

  byte[] key(int row) {
    byte[] array = arrays[row];
    int at = keyAt(array);
    return Arrays.copyOfRange(array, at, at + keyLength(array));
  }

  byte[] state(int row) {
    return Arrays.copyOfRange(arrays[row], stateAt(row), arrays[row].length);
  }

  void setState(int row, byte[] from, int at, int length) {
    byte[] before = arrays[row];
    int stateAt = stateAt(row);
    if (before.length == stateAt) {
      withState++;
    }
    byte[] array =
        before.length == stateAt + length
            ? before
            : begin(before, keyAt(before), keyLength(before), length);
    System.arraycopy(from, at, array, stateAt, length);
    arrays[row] = array;
  }

  void clearState(int row) {
    if (hasState(row)) {
      withState--;
      arrays[row] = Arrays.copyOf(arrays[row], stateAt(row));
    }
  }

  void free(int row) {
    clearState(row);
    arrays[row] = null;
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, freeCount * 2);
    }
    free[freeCount++] = row;
  }

  void clear() {
    Arrays.fill(arrays, null);
    end = 0;
    freeCount = 0;
    withState = 0;
  }
}
