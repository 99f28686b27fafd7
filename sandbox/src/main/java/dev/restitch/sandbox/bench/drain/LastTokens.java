package dev.restitch.sandbox.bench.drain;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.TreeMap;

/** The last sighting of each side, as the bytes of all of them in a row. Stateless. */
final class LastTokens {

  private LastTokens() {}

  /** With one more sighting, which counts if its version is not lower. */
  static byte[] with(byte[] all, byte[] sighting) {
    TreeMap<Byte, byte[]> sides = decode(all);
    put(sides, sighting);
    return encode(sides);
  }

  static byte[] merged(byte[] a, byte[] b) {
    TreeMap<Byte, byte[]> sides = decode(a);
    decode(b).values().forEach(s -> put(sides, s));
    return encode(sides);
  }

  /** True if not all sides have the same token. */
  static boolean differ(byte[] all) {
    TreeMap<Byte, byte[]> sides = decode(all);
    byte[] first = sides.firstEntry().getValue();
    return sides.values().stream()
        .anyMatch(s -> !Arrays.equals(s, 1, s.length, first, 1, first.length));
  }

  static int count(byte[] all) {
    return decode(all).size();
  }

  private static void put(TreeMap<Byte, byte[]> sides, byte[] sighting) {
    sides.merge(
        sighting[0],
        sighting,
        (old, fresh) ->
            ByteBuffer.wrap(fresh).getLong(1) >= ByteBuffer.wrap(old).getLong(1) ? fresh : old);
  }

  private static TreeMap<Byte, byte[]> decode(byte[] all) {
    TreeMap<Byte, byte[]> sides = new TreeMap<>();
    for (int at = 0; at < all.length; ) {
      int length = all[at];
      byte[] sighting = Arrays.copyOfRange(all, at + 1, at + 1 + length);
      sides.put(sighting[0], sighting);
      at += 1 + length;
    }
    return sides;
  }

  private static byte[] encode(TreeMap<Byte, byte[]> sides) {
    ByteBuffer out = ByteBuffer.allocate(sides.values().stream().mapToInt(s -> 1 + s.length).sum());
    sides.values().forEach(s -> out.put((byte) s.length).put(s));
    return out.array();
  }
}
