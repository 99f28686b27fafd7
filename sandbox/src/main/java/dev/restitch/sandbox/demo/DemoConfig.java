package dev.restitch.sandbox.demo;

import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import dev.restitch.sandbox.workload.Truth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The demo's configuration: the file that its services read, and the same, read.
 *
 * @param managementPort where the auditor's API listens
 */
record DemoConfig(Path file, RestitchConfig config, int managementPort) {

  /** Writes the file into a folder and reads it back. */
  static DemoConfig write(Path folder, DemoServers servers, int managementPort) throws IOException {
    Path file = folder.resolve("restitch.yaml");
    Files.writeString(file, yaml(folder, servers, managementPort));
    return new DemoConfig(file, ConfigLoader.load(file, Map.of()), managementPort);
  }

  private static String yaml(Path folder, DemoServers servers, int managementPort) {
    Truth.Table users = Truth.TABLES.get("user");
    Truth.Table payments = Truth.TABLES.get("pay");
    return """
    kafka: { bootstrap.servers: "%s", linger.ms: 20 }
    topics: { partitions: 2 }
    registry: { url: "%s" }
    state-dir: "%s"
    management: { host: 127.0.0.1, port: %d, worker-port: 0 }
    stores:
      east: { uri: "%s" }
      west: { uri: "%s" }
    sources:
      users-db:
        jdbc: "%s"
        query: { profile: "%s", settings: "%s" }
      payments-db:
        jdbc: "%s"
        query: { debit: "%s", credit: "%s" }
    relations:
      user:
        sides:
          profile:  { store: east, key: "user:{id}:profile" }
          settings: { store: west, key: "user:{id}:settings" }
        stamp: "{version}:{token}:{payload}"
        version: { order: counter, store: east, key: "user:{id}:version" }
        writes: all
        settle: 2s
        ttl-tolerance: 1s
        patience: 60s
        repair: [ { policy: source-of-truth, source: users-db } ]
      conf:
        sides:
          here:  { store: east, key: "conf:{name}", payload: conf }
          there: { store: west, key: "conf:{name}", payload: conf }
        stamp: "{version}:{token}:{payload}"
        version: { order: counter, store: east, key: "conf:{name}:version" }
        writes: all
        settle: 2s
        ttl-tolerance: 1s
        patience: 60s
        repair: [ { policy: accept-newest, regenerate: copy } ]
      pay:
        sides:
          debit:  { store: east, key: "pay:{id}:debit" }
          credit: { store: west, key: "pay:{id}:credit" }
        stamp: "{version}:{token}:{payload}"
        version: { order: counter, store: east, key: "pay:{id}:version" }
        marker: { store: east, key: "txn:{token}:committed", ttl: 1h }
        writes: all
        settle: 2s
        ttl-tolerance: 1s
        patience: 60s
        repair:
          - { policy: mark, on: [ MARKER_MISSING, MARKER_EXPIRED ] }
          - { policy: source-of-truth, source: payments-db }
    """
        .formatted(
            servers.kafka().bootstrapServers(),
            servers.registry().url(),
            folder.resolve("state"),
            managementPort,
            servers.east().uri(),
            servers.west().uri(),
            servers.postgres().jdbcUrl(),
            users.query(0),
            users.query(1),
            servers.postgres().jdbcUrl(),
            payments.query(0),
            payments.query(1));
  }
}
