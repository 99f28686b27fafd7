package dev.restitch.registry;

import dev.restitch.startup.Permanent;

/** The registry answered, and refused. Asking again changes nothing until someone acts. */
public final class RegistryRefusedException extends RegistryException implements Permanent {

  private static final long serialVersionUID = 1L;

  private final int status;
  private final int errorCode;

  public RegistryRefusedException(String message, int status, int errorCode) {
    super(message, null);
    this.status = status;
    this.errorCode = errorCode;
  }

  /** The HTTP status; 409 for an incompatible schema. */
  public int status() {
    return status;
  }

  /** Confluent's error code, such as 40401; 0 if the registry gave none. */
  public int errorCode() {
    return errorCode;
  }
}
