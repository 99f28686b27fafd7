package dev.restitch.writer;

import dev.restitch.model.Bytes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The digest of payloads. */
public final class Digests {

  private Digests() {}

  /** SHA-256 of a payload without its stamp. */
  public static Bytes sha256(byte[] payload) {
    return sha256(payload, 0, payload.length);
  }

  /** SHA-256 of a part of a value. */
  public static Bytes sha256(byte[] value, int offset, int length) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(value, offset, length);
      return Bytes.copyOf(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
