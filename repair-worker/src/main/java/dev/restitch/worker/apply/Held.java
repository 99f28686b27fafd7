package dev.restitch.worker.apply;

import dev.restitch.stamp.Stamp;
import dev.restitch.stamp.StampTemplate;
import java.util.Optional;

/**
 * The whole value of a key and its time to live.
 *
 * @param value the value with its stamp; null: no key. Not copied, never to be changed or logged
 * @param ttlMillis time to live that is left; -1: none
 */
@SuppressWarnings("ArrayRecordComponent") // large values are handed on, never compared
public record Held(byte[] value, long ttlMillis) {

  /** The stamp; empty where there is no key, or a value without a stamp. */
  public Optional<Stamp> stamp(StampTemplate template) {
    return value == null ? Optional.empty() : template.read(value).map(StampTemplate.Parsed::stamp);
  }

  /** What stands there, without the value. */
  public Standing standing(StampTemplate template) {
    return new Standing(value != null, stamp(template));
  }
}
