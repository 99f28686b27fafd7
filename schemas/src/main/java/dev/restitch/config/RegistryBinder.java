package dev.restitch.config;

import java.util.Map;
import java.util.Optional;

/** Binds {@code registry}. */
final class RegistryBinder {

  private RegistryBinder() {}

  static RegistryConfig bind(Section root) {
    Section registry = root.child("registry", "url", "serde", "username", "password");
    String url =
        registry.parse("url", registry.text("url"), HttpUrl::parse).orElse("http://localhost:8081");
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
}
