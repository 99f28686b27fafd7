package dev.restitch.sandbox.bench.drain;

import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The configuration that all contenders are given: one relation, its sides on two stores. */
final class DrainSetting {

  private DrainSetting() {}

  /**
   * Writes it into a folder and reads it back.
   *
   * @param prefix of the topics
   * @param settleMillis of the relation
   */
  static RestitchConfig write(
      Path file,
      String prefix,
      String bootstrapServers,
      String registryUrl,
      DrainOptions options,
      long settleMillis)
      throws IOException {
    Files.writeString(
        file,
        """
        kafka: { bootstrap.servers: "%s" }
        topics: { prefix: %s, partitions: %d, replication: 1 }
        registry: { url: "%s" }
        state-dir: "%s"
        stores:
          east: { uri: "redis://127.0.0.1:7001" }
          west: { uri: "redis://127.0.0.1:7002" }
        relations:
          user:
            sides:
        %s    stamp: "{version}:{token}:{payload}"
            version: { order: counter }
            settle: %dms
        """
            .formatted(
                bootstrapServers,
                prefix,
                options.partitions(),
                registryUrl,
                file.resolveSibling("state-" + prefix),
                DrainData.sidesYaml(options.sides()),
                settleMillis));
    return ConfigLoader.load(file, Map.of());
  }
}
