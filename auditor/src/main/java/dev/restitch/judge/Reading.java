package dev.restitch.judge;

import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.util.List;
import java.util.Objects;

/**
 * What one key looked like.
 *
 * @param stamp null unless {@link State#STAMPED}; null for logs, too
 * @param tokens the window of a log, oldest first; null where the side is no log
 * @param expiresAtMillis null: no TTL was seen
 * @param primary run id of the primary that was read; null: not known
 * @param length of the whole value in bytes; null: not known
 * @param digest SHA-256 of the payload; null: not computed
 * @param observedAtMillis when it was seen, where that differs from the evidence's own recorded
 *     time; null: it does not
 */
public record Reading(
    StoreKey key,
    State state,
    Stamp stamp,
    List<Bytes> tokens,
    Long expiresAtMillis,
    String primary,
    Long length,
    Bytes digest,
    Long observedAtMillis) {

  /** In order of precedence at equal recorded times. {@code PRESENT} is for markers. */
  public enum State {
    UNKNOWN,
    UNREADABLE,
    ABSENT,
    UNSTAMPED,
    PRESENT,
    STAMPED
  }

  public Reading {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(state, "state");
    tokens = tokens == null ? null : List.copyOf(tokens);
  }

  /** A reading with nothing known but the state. */
  public static Reading of(StoreKey key, State state) {
    return new Reading(key, state, null, null, null, null, null, null, null);
  }

  /** A stamped reading with nothing else known. */
  public static Reading stamped(StoreKey key, Stamp stamp) {
    return new Reading(key, State.STAMPED, stamp, null, null, null, null, null, null);
  }

  /** True if both say the same of the key: state, stamp and tokens. */
  public boolean agreesWith(Reading other) {
    return state == other.state
        && Objects.equals(stamp, other.stamp)
        && Objects.equals(tokens, other.tokens);
  }
}
