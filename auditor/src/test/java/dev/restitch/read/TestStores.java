package dev.restitch.read;

import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import java.util.Map;

/** Configurations for tests. */
public final class TestStores {

  private static final String RELATIONS =
      """
      relations:
        user:
          sides:
            profile:  { store: east, key: "user:{id}:profile" }
            settings: { store: west, key: "user:{id}:settings" }
          stamp: "{version}:{token}:{payload}"
          version: { order: counter }
        plain:
          sides: { one: { store: east, key: "plain:{id}" } }
          stamp: "{version}:{payload}"
          version: { order: counter }
        form:
          sides:
            head: { store: east, key: "form:{id}", type: hash, fields: { version: v, token: t } }
          stamp: "{version}:{token}:{payload}"
          version: { order: counter }
        log:
          sides:
            left:  { store: east, key: "log:{id}:left", type: list }
            right: { store: west, key: "log:{id}:right", type: zset }
          stamp: "{token}:{payload}"
      """;

  private TestStores() {}

  /** Stores {@code east} and {@code west}, each written as in the configuration file. */
  public static RestitchConfig config(String east, String west) {
    return ConfigLoader.parse(
        "kafka: { bootstrap.servers: \"localhost:1\" }\n"
            + "registry: { url: \"http://localhost:1\" }\n"
            + "stores:\n  east: "
            + east
            + "\n  west: "
            + west
            + "\n"
            + RELATIONS,
        Map.of());
  }

  /** One primary, as in the configuration file. */
  public static String one(TestRedis redis) {
    return "{ uri: \"" + redis.uri() + "\" }";
  }

  /** Two shards, as in the configuration file. */
  public static String shards(TestRedis first, TestRedis second) {
    return "{ uris: [\"" + first.uri() + "\", \"" + second.uri() + "\"], sharding: crc32 }";
  }

  /** A cluster, as in the configuration file. */
  public static String cluster(TestRedis seed) {
    return "{ cluster: [\"" + seed.uri() + "\"] }";
  }
}
