package dev.restitch.replay;

/** A history line that cannot be understood; the message names its number. */
public final class HistoryException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final long line;
  private final String why;
  private final String text;

  public HistoryException(long line, String why) {
    this(line, why, null);
  }

  private HistoryException(long line, String why, String text) {
    super("line " + line + ": " + why);
    this.line = line;
    this.why = why;
    this.text = text;
  }

  /** The same, with the line itself, unless it is known already. */
  HistoryException in(String lineText) {
    return text != null ? this : new HistoryException(line, why, lineText);
  }

  /** The line's number, from 1. */
  public long line() {
    return line;
  }

  /** What is wrong with it, without its number. */
  public String why() {
    return why;
  }

  /** The line itself, bytes that are not UTF-8 replaced; null: not known. */
  public String text() {
    return text;
  }
}
