package dev.restitch.worker.guard;

import dev.restitch.config.RelationConfig;
import dev.restitch.control.ControlBook;
import dev.restitch.control.Scope;
import dev.restitch.control.Setting;
import java.util.OptionalInt;
import java.util.function.DoubleSupplier;

/**
 * How fast, and how many at a time, repairs may be made: as set for the relation, else as
 * configured; and for a store as a whole only where that is set, for it or for every store. This
 * worker's part of a rate is the part of all commands that it is given. Thread-safe.
 */
public final class Limits {

  private static final int NO_LIMIT = Integer.MAX_VALUE;

  private final ControlBook book;
  private final DoubleSupplier share;

  /**
   * @param share the part of all commands that this worker is given, above 0, at most 1
   */
  public Limits(ControlBook book, DoubleSupplier share) {
    this.book = book;
    this.share = share;
  }

  /** Of one relation on one store. */
  Gate.Limits of(RelationConfig relation) {
    Scope scope = Scope.relation(relation.name());
    return limits(
        book.number(Setting.RATE, scope).orElse(relation.rate()),
        book.number(Setting.CONCURRENCY, scope).orElse(relation.concurrency()));
  }

  /** Of a store, for all relations together. */
  Gate.Limits of(String store) {
    return limits(
        number(Setting.RATE, store).orElse(NO_LIMIT),
        number(Setting.CONCURRENCY, store).orElse(NO_LIMIT));
  }

  private OptionalInt number(Setting setting, String store) {
    OptionalInt own = book.number(setting, Scope.store(store));
    return own.isPresent() ? own : book.number(setting, Scope.EVERYWHERE);
  }

  private Gate.Limits limits(int perSecond, int atATime) {
    return new Gate.Limits(perSecond * share.getAsDouble(), atATime);
  }
}
