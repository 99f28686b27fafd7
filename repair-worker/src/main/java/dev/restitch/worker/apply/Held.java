package dev.restitch.worker.apply;

import dev.restitch.stamp.Stamp;
import java.util.Optional;

/**
 * All that a key carries, and its time to live. Never logged.
 *
 * @param payload null: no key, or one of another type than the side's; without a stamp the whole
 *     value
 * @param ttlMillis time to live that is left; -1: none
 */
public record Held(Standing standing, Payload payload, long ttlMillis) {

  /** The stamp; empty where there is no key, or a value without a stamp. */
  public Optional<Stamp> stamp() {
    return standing.stamp();
  }

  /** Never the payload. */
  @Override
  public String toString() {
    return "Held[" + standing + "]";
  }
}
