package dev.restitch.writer;

import java.time.Duration;

/**
 * What a write does to a key's time to live.
 *
 * @param millis the time to live in milliseconds, for {@link Kind#AFTER}; else zero
 */
public record Expiry(Kind kind, long millis) {

  /** The ways. */
  public enum Kind {
    /** The key lives for ever. */
    NONE,
    /** The key keeps the time to live that it has. */
    KEEP,
    /** The key lives for so long from now. */
    AFTER
  }

  /** The key lives for ever. */
  public static final Expiry NONE = new Expiry(Kind.NONE, 0);

  /** The key keeps the time to live that it has; a new key lives for ever. */
  public static final Expiry KEEP = new Expiry(Kind.KEEP, 0);

  public Expiry {
    if ((kind == Kind.AFTER) != (millis > 0) || millis < 0) {
      throw new IllegalArgumentException(
          "a time to live is at least one millisecond, and given for AFTER only");
    }
  }

  /** The key lives for so long from now; at least one millisecond. */
  public static Expiry after(Duration ttl) {
    return new Expiry(Kind.AFTER, ttl.toMillis());
  }

  /** The key lives for so many milliseconds from now, at least one. */
  public static Expiry afterMillis(long millis) {
    return new Expiry(Kind.AFTER, millis);
  }
}
