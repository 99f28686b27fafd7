package dev.restitch.worker.truth;

/** The source of truth does not answer now; it may later. */
public final class TruthUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public TruthUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
