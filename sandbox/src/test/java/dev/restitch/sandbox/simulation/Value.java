package dev.restitch.sandbox.simulation;

import dev.restitch.model.Bytes;
import dev.restitch.stamp.Stamp;
import java.util.Optional;

/**
 * What a key holds.
 *
 * @param stamp null: none
 * @param expiresAt -1: never
 * @param by who wrote it
 */
record Value(Stamp stamp, Bytes payload, long expiresAt, Author by) {

  /** Empty: it has none. */
  Optional<Stamp> stampSeen() {
    return Optional.ofNullable(stamp);
  }

  /** Never the payload. */
  @Override
  public String toString() {
    return stamp == null ? "unstamped" : stamp.toString();
  }
}
