package dev.restitch.config;

import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Binds {@code payloads}. */
final class PayloadsBinder {

  private static final int LIMIT = 32 * 1024 * 1024;

  private PayloadsBinder() {}

  static PayloadsConfig bind(Section root) {
    Section payloads = root.child("payloads", "kafka", "files", "http", "limit", "timeout");
    return new PayloadsConfig(
        each(payloads, "kafka", PayloadsBinder::topic),
        each(payloads, "files", PayloadsBinder::folder),
        each(payloads, "http", PayloadsBinder::address),
        Values.integer(payloads, "limit", LIMIT, 1, LIMIT),
        Values.duration(payloads, "timeout", Duration.ofSeconds(5)));
  }

  private static <T> List<T> each(Section section, String key, Function<String, T> parser) {
    List<T> bound = new ArrayList<>();
    for (String text : section.texts(key).orElse(List.of())) {
      section.parse(key, Optional.of(text), parser).ifPresent(bound::add);
    }
    return bound;
  }

  private static String topic(String text) {
    if (!text.matches("[A-Za-z0-9._-]{1,249}")) {
      throw new IllegalArgumentException("'" + text + "' is not the name of a topic");
    }
    return text;
  }

  private static Path folder(String text) {
    try {
      Path path = Path.of(text);
      if (path.isAbsolute() && path.equals(path.normalize()) && path.getNameCount() > 0) {
        return path;
      }
    } catch (InvalidPathException e) {
      // told below, with what would be right
    }
    throw new IllegalArgumentException(
        "expected an absolute folder such as /var/lib/app/payloads, not '" + text + "'");
  }

  private static URI address(String text) {
    try {
      URI uri = URI.create(text);
      boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (web
          && uri.getHost() != null
          && uri.getRawUserInfo() == null
          && uri.getRawQuery() == null
          && uri.getRawFragment() == null
          && uri.getRawPath().endsWith("/")
          && uri.equals(uri.normalize())) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // told below, with what would be right
    }
    throw new IllegalArgumentException(
        "expected an address that ends with '/', such as https://blobs.internal/payloads/, not '"
            + Masking.address(text)
            + "'");
  }
}
