package dev.restitch.worker.guard;

/** A command that has not begun belongs to another worker now, which carries it out. */
public final class HandedOverException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public HandedOverException() {
    super("the command was handed over to another worker", null, false, false);
  }
}
