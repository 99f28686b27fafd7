package dev.restitch.control;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Why a repair may not be made now.
 *
 * @param words for people
 */
public record Hold(Reason reason, String words) {

  /** The kinds of reasons. */
  public enum Reason {
    PAUSED,
    BRAKED,
    BLIND,
    DRY_RUN,
    UNAPPROVED,
    DISCARDED,
    SUPPRESSED;

    /** The name in records and metrics. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The reason of this name. */
    public static Optional<Reason> of(String label) {
      return Arrays.stream(values()).filter(r -> r.label().equals(label)).findFirst();
    }
  }
}
