package dev.restitch.config;

import dev.restitch.key.KeyPattern;
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
}
