package dev.restitch.worker.apply;

import dev.restitch.model.StoreKey;
import java.util.Objects;

/**
 * What a compare-and-set or compare-and-delete did to one key.
 *
 * @param before what stood there when it was decided
 * @param target what was to stand there, in words: a stamp, {@code absent} or {@code marker}
 */
public record Change(StoreKey key, Kind kind, Standing before, String target) {

  /** What it did. */
  public enum Kind {
    /** The key was changed. */
    WRITTEN,
    /** The target stood there already. */
    ALREADY,
    /** Something newer than the target stands there; nothing was changed. */
    SUPERSEDED,
    /** Something else than expected stands there; nothing was changed. */
    CONFLICT
  }

  public Change {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(before, "before");
    Objects.requireNonNull(target, "target");
  }

  /** True if the target stands there now. */
  public boolean stands() {
    return kind == Kind.WRITTEN || kind == Kind.ALREADY;
  }
}
