package dev.restitch.worker.policy;

/** A command that no worker of this version and configuration can carry out. */
public final class InvalidCommandException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public InvalidCommandException(String message) {
    super(message);
  }
}
