package dev.restitch.worker.guard;

import dev.restitch.control.Hold;

/** A repair may not be made now. */
public final class HeldException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Hold hold;

  public HeldException(Hold hold) {
    super(hold.words(), null, false, false);
    this.hold = hold;
  }

  /** Why. */
  public Hold hold() {
    return hold;
  }
}
