package dev.restitch.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Hides secrets where configuration is shown. In doubt it hides too much. */
final class Masking {

  static final String MASK = "********";

  private static final Pattern SECRET_NAME =
      Pattern.compile("password|passphrase|passwd|secret|jaas|token|key|credential|user\\.info");

  /** A parameter of a URL whose name sounds secret; its value reaches to the next separator. */
  private static final Pattern SECRET_PARAMETER =
      Pattern.compile(
          "(?i)([?&;:(,\\s]\\w*(?:password|passphrase|passwd|pwd|secret|token|key)\\w*\\s*=)[^&;)]*");

  private Masking() {}

  /** The value of a Kafka property, hidden if its name sounds secret. */
  static String property(String name, String value) {
    boolean secret = SECRET_NAME.matcher(name.toLowerCase(Locale.ROOT)).find();
    return secret ? MASK : address(value);
  }

  /** A URI or JDBC URL without user information and secret parameters. */
  static String address(String address) {
    int at = address.lastIndexOf('@');
    String shown = address;
    if (at >= 0) {
      shown = address.substring(0, startOfUserInfo(address, at)) + MASK + address.substring(at);
    }
    return SECRET_PARAMETER.matcher(shown).replaceAll("$1" + Matcher.quoteReplacement(MASK));
  }

  private static int startOfUserInfo(String address, int at) {
    int slashes = address.indexOf("//");
    if (slashes >= 0 && slashes < at) {
      return slashes + 2;
    }
    // jdbc:oracle:thin:user/password@host: all after the driver's name
    return address.startsWith("jdbc:") ? "jdbc:".length() : 0;
  }
}
