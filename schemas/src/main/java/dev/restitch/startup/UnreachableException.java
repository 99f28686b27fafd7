package dev.restitch.startup;

/**
 * A peer could not be reached within the patience. The message is one line that names the peer, its
 * address, the last error and what to check; mains print it and exit with 1.
 */
public final class UnreachableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public UnreachableException(String message, Throwable cause) {
    super(message, cause);
  }
}
