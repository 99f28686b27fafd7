package dev.restitch.writer;

import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import java.util.Map;

/** The configuration that the tests write by. */
final class Configs {

  private Configs() {}

  static RestitchConfig of(String east, String west) {
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
          pay:
            sides:
              debit: { store: east, key: "pay:{id}:debit" }
              credit: { store: west, key: "pay:{id}:credit" }
            stamp: "{version}:{token}:{payload}"
            version: { order: counter, store: west, key: "pay:{id}:version" }
            marker: { store: east, key: "txn:{token}:committed", ttl: 1h, fenced: true }
            writes: some
          doc:
            sides:
              body: { store: east, key: "doc:{id}:body" }
              index: { store: west, key: "doc:{id}:index" }
            stamp: "{token}:{payload}"
            writes: all
          price:
            sides:
              tag: { store: east, key: "price:{id}:tag" }
            stamp: "{timestamp}:{token}:{payload}"
            version: { order: timestamp, max-skew: 250ms }
          lone:
            sides:
              it: { store: east, key: "lone:{id}" }
            stamp: "v{version};{payload}"
            version: { order: counter, store: east, key: "lone-version" }
          card:
            sides:
              front: { store: east, key: "card:{id}:front", type: hash, fields: { version: v, token: t } }
              back: { store: west, key: "card:{id}:back" }
            stamp: "{version}:{token}:{payload}"
            version: { order: counter, store: east, key: "card:{id}:version" }
          quote:
            sides:
              bid: { store: east, key: "quote:{id}:bid" }
              ask: { store: west, key: "quote:{id}:ask" }
            stamp: "{timestamp}:{token}:{payload}"
            version: { order: timestamp, max-skew: 250ms }
            settle: 1s
          feed:
            sides:
              mine: { store: east, key: "feed:{id}:mine", type: list }
              theirs: { store: west, key: "feed:{id}:theirs", type: zset }
            stamp: "{token}:{payload}"
        """
            .formatted(east, west),
        Map.of());
  }
}
