package dev.restitch.worker;

import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import java.util.Map;

/** The configuration that the tests repair by. */
public final class Configs {

  private Configs() {}

  public static RestitchConfig of(String east, String west, String jdbc) {
    return ConfigLoader.parse(
        """
        kafka: { bootstrap.servers: "localhost:9092" }
        registry: { url: "http://localhost:8081" }
        stores:
          east: { uri: "%s" }
          west: { uri: "%s" }
        relations:
          user:
            sides:
              profile: { store: east, key: "user:{id}:profile" }
              settings: { store: west, key: "user:{id}:settings" }
            stamp: "{version}:{token}:{payload}"
            version: { order: counter, store: east, key: "user:{id}:version" }
            writes: all
            settle: 300ms
            generations: 3
            rate: 5000
            repair:
              - { policy: source-of-truth, source: users-db }
              - { policy: source-of-truth, source: users-db, on: [SIDE_DELETED] }
          conf:
            sides:
              here: { store: east, key: "conf:{name}", payload: conf }
              there: { store: west, key: "conf:{name}", payload: conf }
            stamp: "{version}:{token}:{payload}"
            version: { order: counter, store: east, key: "conf:{name}:version" }
            rate: 5000
            repair: [ { policy: accept-newest, regenerate: copy }, { policy: roll-forward } ]
          pay:
            sides:
              debit: { store: east, key: "pay:{id}:debit" }
              credit: { store: west, key: "pay:{id}:credit" }
            stamp: "{version}:{token}:{payload}"
            version: { order: counter, store: east, key: "pay:{id}:version" }
            marker: { store: east, key: "txn:{token}:committed", ttl: 1h }
            settle: 300ms
            repair:
              - { policy: mark }
              - { policy: source-of-truth, source: pay-db }
          doc:
            sides:
              body: { store: east, key: "doc:{id}:body" }
              index: { store: west, key: "doc:{id}:index" }
            stamp: "{version}:{payload}"
            version: { order: counter, store: east, key: "doc:{id}:version" }
            settle: 300ms
            repair: [ { policy: source-of-truth, source: docs-db } ]
        sources:
          users-db:
            jdbc: "%3$s"
            query:
              profile: "select body from profiles where id = ?"
              settings: "select body from settings where id = ?"
          pay-db:
            jdbc: "%3$s"
            query:
              debit: "select debit from pays where id = ?"
              credit: "select credit from pays where id = ?"
          docs-db:
            jdbc: "%3$s"
            query:
              body: "select body from docs where id = ?"
              index: "select body from docs where id = ?"
        """
            .formatted(east, west, jdbc),
        Map.of());
  }
}
