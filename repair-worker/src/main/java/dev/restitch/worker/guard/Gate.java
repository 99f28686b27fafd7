package dev.restitch.worker.guard;

import java.util.function.LongSupplier;

/**
 * Lets repairs through at a pace, and only so many at a time. Not thread-safe; its owner's lock
 * guards it.
 */
final class Gate {

  private final Pace pace;
  private double perSecond;
  private int most;
  private int inside;

  Gate(Limits limits, LongSupplier nanoClock) {
    this.perSecond = limits.perSecond();
    this.most = limits.atATime();
    this.pace = new Pace(perSecond, nanoClock);
  }

  /** What a gate lets through. */
  record Limits(double perSecond, int atATime) {}

  void change(Limits limits) {
    most = limits.atATime();
    if (limits.perSecond() != perSecond) {
      perSecond = limits.perSecond();
      pace.change(perSecond);
    }
  }

  /** How long until one may pass, in nanoseconds; {@link Long#MAX_VALUE}: until one leaves. */
  long waitNanos(boolean stays) {
    return stays && inside >= most ? Long.MAX_VALUE : pace.waitNanos();
  }

  void enter(boolean stays) {
    pace.take();
    if (stays) {
      inside++;
    }
  }

  void leave() {
    inside--;
  }
}
