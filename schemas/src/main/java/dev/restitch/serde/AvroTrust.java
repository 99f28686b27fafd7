package dev.restitch.serde;

import dev.restitch.avro.KeyRef;
import org.apache.avro.util.ClassSecurityValidator;

/**
 * Lets Avro make the contract's generated classes. Avro reads the allowed packages once, from a
 * system property; what a user has set there stays.
 */
final class AvroTrust {

  static final String PROPERTY = "org.apache.avro.SERIALIZABLE_PACKAGES";
  private static final String PACKAGE = KeyRef.class.getPackageName();

  private AvroTrust() {}

  /** Idempotent; called before the first record is read. */
  static synchronized void establish() {
    System.setProperty(PROPERTY, extended(System.getProperty(PROPERTY)));
    ClassSecurityValidator.ClassSecurityPredicate now = ClassSecurityValidator.getGlobal();
    if (!now.isTrusted(KeyRef.class)) {
      // Someone used Avro before us, so that the property came too late.
      ClassSecurityValidator.setGlobal(
          ClassSecurityValidator.composite(now, type -> type.getPackageName().equals(PACKAGE)));
    }
  }

  /** The user's packages and ours; unchanged where they cover ours already. */
  static String extended(String packages) {
    if (packages == null || packages.isBlank()) {
      return PACKAGE;
    }
    for (String given : packages.split(",", -1)) {
      String name = given.strip();
      if (name.equals("*") || name.equals(PACKAGE) || PACKAGE.startsWith(name + ".")) {
        return packages;
      }
    }
    return packages + "," + PACKAGE;
  }
}
