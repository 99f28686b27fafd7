package dev.restitch.registry;

/** The registry has no Avro schema with this id. */
public final class SchemaNotFoundException extends RegistryException {

  private static final long serialVersionUID = 1L;

  private final int id;

  public SchemaNotFoundException(int id, String address) {
    this(id, "schema id " + id + " is unknown to the registry at " + address, null);
  }

  SchemaNotFoundException(int id, String message, Throwable cause) {
    super(message, cause);
    this.id = id;
  }

  /** The id asked for. */
  public int id() {
    return id;
  }
}
