package dev.restitch.worker.truth;

/**
 * The source of truth has no answer for an instance, and asking again would not change that. The
 * message says why, and never carries a payload.
 */
public final class TruthException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public TruthException(String message) {
    super(message);
  }

  public TruthException(String message, Throwable cause) {
    super(message, cause);
  }
}
