package dev.restitch.sandbox.simulation;

import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import java.util.Map;

/** The configuration of every schedule. */
final class Setting {

  static final RestitchConfig CONFIG =
      ConfigLoader.parse(
          """
          kafka: { bootstrap.servers: "localhost:9092" }
          registry: { url: "http://localhost:8081" }
          stores:
            east: { uri: "redis://localhost:7001" }
            west: { uri: "redis://localhost:7002" }
          relations:
            user:
              sides:
                profile: { store: east, key: "user:{id}:profile" }
                settings: { store: west, key: "user:{id}:settings" }
              stamp: "{version}:{token}:{payload}"
              version: { order: counter, store: east, key: "user:{id}:version" }
              writes: all
              settle: 200ms
              patience: 3s
              rate: 5000
              generations: 20
              repair:
                - { policy: source-of-truth, source: db, missing: delete }
                - { policy: source-of-truth, source: db, missing: delete, on: [SIDE_DELETED] }
            conf:
              sides:
                here: { store: east, key: "conf:{id}:here", payload: conf }
                there: { store: west, key: "conf:{id}:there", payload: conf }
              stamp: "{version}:{token}:{payload}"
              version: { order: counter, store: east, key: "conf:{id}:version" }
              writes: all
              settle: 200ms
              patience: 3s
              rate: 5000
              repair: [ { policy: accept-newest, regenerate: copy }, { policy: roll-forward } ]
            pair:
              sides:
                one: { store: east, key: "pair:{id}:one" }
                two: { store: west, key: "pair:{id}:two" }
                three: { store: east, key: "pair:{id}:three" }
              stamp: "{version}:{token}:{payload}"
              version: { order: counter, store: east, key: "pair:{id}:version" }
              writes: some
              settle: 200ms
              patience: 3s
              rate: 5000
              repair: [ { policy: roll-forward } ]
            when:
              sides:
                one: { store: east, key: "when:{id}:one" }
                two: { store: west, key: "when:{id}:two" }
              stamp: "{timestamp}:{token}:{payload}"
              version: { order: timestamp, max-skew: 40ms }
              writes: some
              settle: 200ms
              patience: 3s
              rate: 5000
              repair: [ { policy: roll-forward } ]
            pay:
              sides:
                debit: { store: east, key: "pay:{id}:debit" }
                credit: { store: west, key: "pay:{id}:credit" }
              stamp: "{version}:{token}:{payload}"
              version: { order: counter, store: east, key: "pay:{id}:version" }
              marker: { store: east, key: "txn:{token}:committed", ttl: 1h }
              writes: all
              settle: 200ms
              patience: 3s
              rate: 5000
              repair: [ { policy: mark }, { policy: roll-forward } ]
          sources:
            db:
              jdbc: "jdbc:postgresql://localhost/app"
              query:
                profile: "select profile from users where id = ?"
                settings: "select settings from users where id = ?"
          """,
          Map.of());

  private Setting() {}
}
