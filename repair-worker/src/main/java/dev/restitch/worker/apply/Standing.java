package dev.restitch.worker.apply;

import dev.restitch.stamp.Stamp;
import dev.restitch.stamp.StampTemplate;
import java.util.Optional;

/**
 * What stands on a side now.
 *
 * @param stamp empty where there is no key, or a value without a stamp
 */
public record Standing(boolean present, Optional<Stamp> stamp) {

  static Standing of(boolean present, byte[] head, StampTemplate template) {
    return new Standing(
        present, present ? template.read(head).map(StampTemplate.Parsed::stamp) : Optional.empty());
  }

  /** True if this stamp stands here. */
  public boolean carries(Stamp other) {
    return stamp.isPresent() && stamp.get().equals(other);
  }

  /** For the operations log; never a payload. */
  @Override
  public String toString() {
    return present ? stamp.map(Stamp::toString).orElse("unstamped") : "absent";
  }
}
