package dev.restitch.registry;

import dev.restitch.config.ConfigException;
import dev.restitch.config.RegistryConfig;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Opens the registry that the configuration names. */
public final class SchemaRegistries {

  private static final String MOCK = "mock://";
  private static final Map<String, SchemaRegistry> MOCKS = new ConcurrentHashMap<>();

  private SchemaRegistries() {}

  /**
   * Opens a registry; does not connect yet. An address {@code mock://NAME} is one in-memory
   * registry a name in this process.
   *
   * @throws ConfigException if the configuration cannot be served; the message names the key and
   *     what would be right
   */
  public static SchemaRegistry open(RegistryConfig config) {
    if (config.serde() != null && !config.serde().equals("restitch")) {
      throw new ConfigException(
          "registry.serde",
          "'"
              + config.serde()
              + "' is not supported by this version; leave it out, or say 'restitch' (it writes the"
              + " same bytes as Confluent's serializers)");
    }
    if (config.url() == null || config.url().isBlank()) {
      throw new ConfigException(
          "registry.url", "is missing; give the registry's address, such as http://localhost:8081");
    }
    if (config.url().startsWith(MOCK)) {
      return MOCKS.computeIfAbsent(config.url(), url -> new InMemorySchemaRegistry(url));
    }
    return new HttpSchemaRegistry(config);
  }
}
