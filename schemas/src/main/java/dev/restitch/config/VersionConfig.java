package dev.restitch.config;

import dev.restitch.key.KeyPattern;
import dev.restitch.stamp.Stamp;
import java.time.Duration;

/**
 * What orders the versions of a relation.
 *
 * @param order the source of order
 * @param store store of the counter; null where Restitch does not mint
 * @param key key pattern of the counter; null where Restitch does not mint
 * @param maxSkew timestamps at most this far apart are not ordered; zero for counters
 */
public record VersionConfig(Order order, String store, KeyPattern key, Duration maxSkew) {

  /** The sources of order. */
  public enum Order {
    COUNTER,
    TIMESTAMP,
    NONE
  }

  /** True if a version can be minted by {@code INCR}. */
  public boolean mintable() {
    return store != null && key != null;
  }

  /** True if the order says that {@code a} is newer than {@code b}; false where nothing orders. */
  public boolean newer(Stamp a, Stamp b) {
    if (order == Order.NONE || a.version() == null || b.version() == null) {
      return false;
    }
    // versions are >= 0, so the difference cannot overflow
    return a.version() - b.version() > (order == Order.TIMESTAMP ? maxSkew.toMillis() : 0);
  }
}
