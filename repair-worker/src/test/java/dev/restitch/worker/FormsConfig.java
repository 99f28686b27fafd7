package dev.restitch.worker;

import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import java.util.Map;

/** Relations of every form, each with every policy that it allows. */
public final class FormsConfig {

  private FormsConfig() {}

  /**
   * @param east how the store is reached, such as <code>{ uri: "…" }</code>
   */
  public static RestitchConfig of(String east, String west) {
    return ConfigLoader.parse(
        """
        kafka: { bootstrap.servers: "localhost:9092" }
        registry: { url: "http://localhost:8081" }
        stores:
          east: %s
          west: %s
        relations:
          conf:
            sides:
              one: { store: east, key: "conf:{id}:one", payload: conf }
              two: { store: west, key: "conf:{id}:two", payload: conf }
            stamp: "{version}:{token}:{payload}"
            version: { order: counter, store: east, key: "conf:{id}:version" }
            settle: 300ms
            generations: 10000
            repair:
              - { policy: accept-newest, regenerate: copy }
              - { policy: roll-forward }
              - { policy: source-of-truth, source: db, missing: delete }
          card:
            sides:
              one: { store: east, key: "card:{id}:one", payload: card, type: hash, fields: { version: v, token: t } }
              two: { store: west, key: "card:{id}:two", payload: card, type: hash, fields: { version: v, token: t } }
            stamp: "{version}:{token}:{payload}"
            version: { order: counter, store: east, key: "card:{id}:version" }
            settle: 300ms
            generations: 10000
            repair:
              - { policy: accept-newest, regenerate: copy }
              - { policy: roll-forward }
              - { policy: source-of-truth, source: db, missing: delete }
          prof:
            sides:
              one: { store: east, key: "prof:{id}:one" }
              two: { store: west, key: "prof:{id}:two", type: hash, fields: { version: v, token: t } }
            stamp: "{version}:{token}:{payload}"
            version: { order: counter, store: east, key: "prof:{id}:version" }
            repair:
              - policy: accept-newest
                regenerate:
                  two: { from: one, mapping: '{ "theme": prefs.theme, "id": id, "tags": tags[] }' }
          list:
            sides:
              one: { store: east, key: "list:{id}:one", type: list }
              two: { store: west, key: "list:{id}:two", type: list }
            stamp: "{token}:{payload}"
            repair: [ { policy: roll-forward }, { policy: source-of-truth, source: db } ]
          rank:
            sides:
              one: { store: east, key: "rank:{id}:one", type: zset }
              two: { store: west, key: "rank:{id}:two", type: zset }
            stamp: "{token}:{payload}"
            repair: [ { policy: roll-forward }, { policy: source-of-truth, source: db } ]
        sources:
          db:
            jdbc: "jdbc:postgresql://127.0.0.1/none"
            query:
              one: "select body from ones where id = ?"
              two: "select body from twos where id = ?"
        """
            .formatted(east, west),
        Map.of());
  }
}
