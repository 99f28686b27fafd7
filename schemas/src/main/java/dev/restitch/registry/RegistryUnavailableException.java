package dev.restitch.registry;

/**
 * The registry did not answer, or said that it cannot now. Worth trying again; says nothing about
 * the record or the schema, so nothing may be dead-lettered for it.
 */
public final class RegistryUnavailableException extends RegistryException {

  private static final long serialVersionUID = 1L;

  public RegistryUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
