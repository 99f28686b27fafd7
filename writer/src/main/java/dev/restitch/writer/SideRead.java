package dev.restitch.writer;

import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.util.List;
import java.util.Objects;

/**
 * One side, read once.
 *
 * @param side its name in the relation
 * @param stamp null unless {@link SideState#STAMPED}, and for logs
 * @param value null where there is none to serve: absent, unreadable, of another type, or too long
 * @param problem why there is no value, in words; null where nothing is wrong
 * @param primary run id of the process that was read; null: not known for sure
 */
public record SideRead(
    String side,
    StoreKey key,
    SideState state,
    Stamp stamp,
    SideValue value,
    String problem,
    String primary) {

  public SideRead {
    Objects.requireNonNull(side, "side");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(state, "state");
  }

  /** The tokens of a log, oldest first; empty for other sides and for a log without any. */
  public List<Bytes> tokens() {
    return value instanceof SideValue.Entries log
        ? log.entries().stream().map(SideValue.Entry::token).toList()
        : List.of();
  }

  boolean stamped() {
    return state == SideState.STAMPED;
  }
}
