package dev.restitch.config;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Binds {@code registry}. */
final class RegistryBinder {

  private static final Pattern URL = Pattern.compile("https?://[^\\s/?#]+([/?#]\\S*)?");

  private RegistryBinder() {}

  static RegistryConfig bind(Section root) {
    Section registry = root.child("registry", "url", "serde", "username", "password");
    String url =
        registry
            .parse("url", registry.text("url"), RegistryBinder::url)
            .orElse("http://localhost:8081");
    String serde =
        Values.choice(registry, "serde", Map.of("restitch", "restitch", "confluent", "confluent"))
            .orElse("restitch");
    Optional<String> username = registry.text("username");
    Optional<Secret> password = Secrets.read(registry, "password");
    if (registry.has("password") && username.isEmpty()) {
      registry.problem("username", "is missing; a password needs one");
    }
    return new RegistryConfig(url, serde, username.orElse(null), password.orElse(null));
  }

  private static String url(String text) {
    if (!URL.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "expected a URL such as http://localhost:8081, not '" + Masking.address(text) + "'");
    }
    return text;
  }
}
