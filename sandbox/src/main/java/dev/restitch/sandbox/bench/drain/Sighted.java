package dev.restitch.sandbox.bench.drain;

import java.nio.ByteBuffer;

/** What peers keep of an observation. */
record Sighted(int side, long version, byte[] token) {

  byte[] encode() {
    return ByteBuffer.allocate(1 + Long.BYTES + token.length)
        .put((byte) side)
        .putLong(version)
        .put(token)
        .array();
  }

  static Sighted decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int side = in.get();
    long version = in.getLong();
    byte[] token = new byte[in.remaining()];
    in.get(token);
    return new Sighted(side, version, token);
  }
}
