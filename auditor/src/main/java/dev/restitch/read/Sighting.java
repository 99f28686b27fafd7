package dev.restitch.read;

import dev.restitch.avro.KeyState;
import dev.restitch.avro.Reading;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/**
 * What one look at one key gave.
 *
 * @param stamp null unless stamped by a single stamp
 * @param tokens of a log, oldest first; null for other sides
 * @param ttlMillis time left; null: none, or not known
 * @param length of the whole value in bytes, or of a log in entries; null: not known
 * @param digest SHA-256 of the payload; null: not computed
 * @param settled false: the replies did not fit together, since the key changed between two of
 *     them, so that it takes a second look that gives the same
 */
record Sighting(
    KeyState state,
    Stamp stamp,
    List<Bytes> tokens,
    Long ttlMillis,
    Long length,
    Bytes digest,
    boolean settled) {

  static Sighting absent() {
    return new Sighting(KeyState.ABSENT, null, null, null, null, null, true);
  }

  static Sighting present(Long ttlMillis) {
    return new Sighting(KeyState.PRESENT, null, null, ttlMillis, null, null, true);
  }

  static Sighting stamped(Stamp stamp, Long ttlMillis, Long length, Bytes digest) {
    return new Sighting(KeyState.STAMPED, stamp, null, ttlMillis, length, digest, true);
  }

  static Sighting log(List<Bytes> tokens, Long ttlMillis, Long length) {
    return new Sighting(KeyState.STAMPED, null, tokens, ttlMillis, length, null, true);
  }

  static Sighting unstamped(Long ttlMillis, Long length, Bytes digest) {
    return new Sighting(KeyState.UNSTAMPED, null, null, ttlMillis, length, digest, true);
  }

  Sighting unsettled() {
    return new Sighting(state, stamp, tokens, ttlMillis, length, digest, false);
  }

  /** True if both say the same of the key, whatever time it has left. */
  boolean alike(Sighting other) {
    return state == other.state
        && Objects.equals(stamp, other.stamp)
        && Objects.equals(tokens, other.tokens)
        && Objects.equals(length, other.length)
        && Objects.equals(digest, other.digest);
  }

  /**
   * The record of the contract.
   *
   * @param primary run id of the process that answered; null: not known for sure
   */
  Reading at(StoreKey key, String primary, long nowMillis) {
    return Reading.newBuilder()
        .setStore(key.store())
        .setKey(key.key().toBuffer())
        .setState(state)
        .setVersion(stamp == null ? null : stamp.version())
        .setToken(stamp == null || stamp.token().isEmpty() ? null : stamp.token().toBuffer())
        .setTokens(tokens == null ? null : tokens.stream().map(Bytes::toBuffer).toList())
        .setExpiresAtMillis(ttlMillis == null ? null : nowMillis + ttlMillis)
        .setPrimary(primary)
        .setLength(length)
        .setDigest(digest == null ? null : digest.toBuffer())
        .build();
  }

  static Reading unreadable(StoreKey key) {
    return unreadable(key.store(), key.key().toBuffer());
  }

  static Reading unreadable(String store, ByteBuffer key) {
    return Reading.newBuilder().setStore(store).setKey(key).setState(KeyState.UNREADABLE).build();
  }
}
