package dev.restitch.config;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Configurations that tests share. */
final class Configs {

  /** A small valid one; tests replace parts of it. */
  static final String SMALL =
      """
      stores:
        east: { uri: "redis://localhost:7001" }
        west: { uri: "redis://localhost:7002" }
      relations:
        user:
          sides:
            profile: { store: east, key: "user:{id}:profile" }
            settings: { store: west, key: "user:{id}:settings" }
          stamp: "{version}:{token}:{payload}"
          version: { order: counter }
      """;

  private Configs() {}

  static String resource(String name) {
    try (InputStream in = Configs.class.getResourceAsStream("/config/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static RestitchConfig parse(String yaml) {
    return ConfigLoader.parse(yaml, Map.of());
  }

  static RelationConfig user(String yaml, Map<String, String> env) {
    return ConfigLoader.parse(yaml, env).relations().get("user");
  }

  /** {@link #SMALL} with more lines in its relation. */
  static String withRelationLines(String... lines) {
    StringBuilder yaml = new StringBuilder(SMALL);
    for (String line : lines) {
      yaml.append("    ").append(line).append('\n');
    }
    return yaml.toString();
  }

  /** The problems, each as {@code path: message}. */
  static List<String> problems(String yaml, Map<String, String> env) {
    ConfigException e =
        catchThrowableOfType(ConfigException.class, () -> ConfigLoader.parse(yaml, env));
    return e == null
        ? List.of()
        : e.problems().stream().map(ConfigException.Problem::toString).toList();
  }

  static List<String> problems(String yaml) {
    return problems(yaml, Map.of());
  }
}
