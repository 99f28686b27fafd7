package dev.restitch.store;

/**
 * A store cannot be used. The message names the store, the address and what happened; it never
 * carries a secret.
 */
public final class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient String address;

  public StoreException(String store, String address, String what, Throwable cause) {
    super("store '" + store + "' at " + address + ": " + what, cause);
    this.address = address;
  }

  /** {@code host:port} of the node concerned, or several joined by commas. */
  public String address() {
    return address;
  }

  /** The innermost reason of a failed connection, in one sentence. */
  static String reason(Throwable failure) {
    Throwable at = failure;
    while (at.getCause() != null && at.getCause() != at) {
      at = at.getCause();
    }
    String message = at.getMessage() == null ? at.getClass().getSimpleName() : at.getMessage();
    if (message.startsWith("WRONGPASS") || message.startsWith("NOAUTH")) {
      return message + " (check the store's username and password)";
    }
    if (message.startsWith("NOPERM")) {
      return message + " (check the ACL rules of the store's user)";
    }
    return message;
  }
}
