package dev.restitch.sandbox.registry;

/** A refusal, with the error code that Confluent's API gives it. */
final class RegistryError extends RuntimeException {

  private static final long serialVersionUID = 1L;
  private static final int CODES_A_STATUS = 100;

  private final int code;

  private RegistryError(int code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  int code() {
    return code;
  }

  /** 40401 is a 404; a code of three digits is the status itself. */
  int status() {
    return code < 1000 ? code : code / CODES_A_STATUS;
  }

  static RegistryError noSuchSubject(String subject) {
    return new RegistryError(40401, "Subject '" + subject + "' not found.");
  }

  static RegistryError noSuchVersion(String version) {
    return new RegistryError(40402, "Version " + version + " not found.");
  }

  static RegistryError noSuchSchema() {
    return new RegistryError(40403, "Schema not found");
  }

  static RegistryError noLevelOfItsOwn(String subject) {
    return new RegistryError(
        40408, "Subject '" + subject + "' does not have subject-level compatibility configured");
  }

  static RegistryError invalidSchema(String why) {
    return new RegistryError(42201, "Invalid schema: " + why);
  }

  static RegistryError invalidVersion(String version) {
    return new RegistryError(
        42202, "The specified version '" + version + "' is not a valid version id.");
  }

  static RegistryError invalidLevel() {
    return new RegistryError(42203, "Invalid compatibility level");
  }

  static RegistryError incompatible(String subject, CompatibilityLevel level) {
    return new RegistryError(
        409,
        "Schema being registered is incompatible with an earlier schema for subject \""
            + subject
            + "\" ("
            + level
            + ")");
  }

  static RegistryError noSuchPath() {
    return new RegistryError(404, "HTTP 404 Not Found");
  }

  static RegistryError methodNotAllowed() {
    return new RegistryError(405, "HTTP 405 Method Not Allowed");
  }

  static RegistryError badRequest(String why) {
    return new RegistryError(400, why);
  }
}
