package dev.restitch.registry;

/** A schema registry could not do what was asked. The message names the registry and what to do. */
public abstract class RegistryException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RegistryException(String message, Throwable cause) {
    super(message, cause);
  }
}
