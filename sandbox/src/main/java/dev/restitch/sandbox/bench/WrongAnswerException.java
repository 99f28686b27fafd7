package dev.restitch.sandbox.bench;

/** The product answered wrongly in a benchmark, whose figures are then worth nothing. */
public final class WrongAnswerException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public WrongAnswerException(String message) {
    super(message);
  }
}
