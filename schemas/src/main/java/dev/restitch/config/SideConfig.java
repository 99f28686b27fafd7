package dev.restitch.config;

import dev.restitch.key.KeyPattern;
import dev.restitch.model.Bytes;
import dev.restitch.stamp.Stamp;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * One side of a relation.
 *
 * @param name the side's name, unique in its relation
 * @param store name of the store that holds it
 * @param key its key pattern
 * @param payload name of what it carries; sides of one name may be copied to each other; null: not
 *     declared
 * @param type how the stamp is kept
 * @param versionField hash field of the version, for {@link SideType#HASH}; null: none
 * @param tokenField hash field of the token, for {@link SideType#HASH}; null: none
 */
public record SideConfig(
    String name,
    String store,
    KeyPattern key,
    String payload,
    SideType type,
    String versionField,
    String tokenField) {

  /**
   * The stamp that the two fields of a hash hold; empty if one that belongs to it is missing, the
   * token is empty or longer than the limit, or the version is not decimal digits without leading
   * zeros.
   *
   * @param version content of the version field; null where there is none
   * @param token content of the token field; null where there is none
   * @param stampLimit longest token in bytes
   */
  public Optional<Stamp> stampOf(byte[] version, byte[] token, int stampLimit) {
    Long number = null;
    if (versionField != null) {
      number = version == null ? null : versionIn(version);
      if (number == null) {
        return Optional.empty();
      }
    }
    if (tokenField == null) {
      return Optional.of(new Stamp(number, Bytes.EMPTY));
    }
    return token == null || token.length == 0 || token.length > stampLimit
        ? Optional.empty()
        : Optional.of(new Stamp(number, Bytes.copyOf(token)));
  }

  /** Null if it is no version. */
  private static Long versionIn(byte[] field) {
    String text = new String(field, StandardCharsets.ISO_8859_1);
    if (!text.matches("0|[1-9][0-9]{0,18}")) {
      return null;
    }
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException tooLarge) {
      return null;
    }
  }
}
