package dev.restitch.config;

import java.util.regex.Pattern;

/** Reads URLs of HTTP. */
final class HttpUrl {

  private static final Pattern URL = Pattern.compile("https?://[^\\s/?#]+([/?#]\\S*)?");

  private HttpUrl() {}

  /**
   * The text, if it is a URL.
   *
   * @throws IllegalArgumentException if it is none; shows no password that it may hold
   */
  static String parse(String text) {
    if (!URL.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "expected a URL such as http://localhost:8081, not '" + Masking.address(text) + "'");
    }
    return text;
  }
}
