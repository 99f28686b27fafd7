package dev.restitch.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks the address of a Redis or Valkey node. */
final class RedisUri {

  private static final Pattern FORM =
      Pattern.compile(
          "rediss?://(?:[^/?#@\\s]*@)?(?:\\[[0-9A-Fa-f:.%]+]|[A-Za-z0-9_.-]+)"
              + "(?::(?<port>\\d{1,5}))?(?:/(?<database>\\d{0,3}))?(?:\\?\\S*)?");

  private RedisUri() {}

  /**
   * The address as given.
   *
   * @throws IllegalArgumentException with a sentence that shows no secret
   */
  static String check(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "expected redis://HOST:PORT, or rediss:// for TLS, not '"
              + Masking.address(text)
              + "'; special characters of a password are percent-encoded");
    }
    String port = matcher.group("port");
    if (port != null && (Integer.parseInt(port) < 1 || Integer.parseInt(port) > 65_535)) {
      throw new IllegalArgumentException("the port is from 1 to 65535, not " + port);
    }
    return text;
  }

  static boolean tls(String uri) {
    return uri.startsWith("rediss:");
  }

  /** True if the address names a database other than 0, of which a cluster has none. */
  static boolean namesDatabase(String uri) {
    Matcher matcher = FORM.matcher(uri);
    String database = matcher.matches() ? matcher.group("database") : null;
    return database != null && !database.isEmpty() && Integer.parseInt(database) != 0;
  }
}
