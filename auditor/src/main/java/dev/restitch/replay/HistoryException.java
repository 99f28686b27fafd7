package dev.restitch.replay;

/** A history line that cannot be understood; the message names its number. */
public final class HistoryException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final long line;

  public HistoryException(long line, String message) {
    super("line " + line + ": " + message);
    this.line = line;
  }

  /** The line's number, from 1. */
  public long line() {
    return line;
  }
}
