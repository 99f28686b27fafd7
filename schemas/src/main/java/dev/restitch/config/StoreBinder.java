package dev.restitch.config;

import dev.restitch.config.StoreConfig.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Binds {@code stores}. */
final class StoreBinder {

  private static final Map<String, Kind> ADDRESSES = new LinkedHashMap<>();

  static {
    ADDRESSES.put("uri", Kind.STANDALONE);
    ADDRESSES.put("uris", Kind.SHARDED);
    ADDRESSES.put("cluster", Kind.CLUSTER);
  }

  private StoreBinder() {}

  static Map<String, StoreConfig> bind(Section root) {
    Section stores = root.names("stores");
    Map<String, StoreConfig> bound = new LinkedHashMap<>();
    for (String name : stores.names()) {
      Values.checkName(stores, name);
      Section store =
          stores.child(name, "uri", "uris", "cluster", "sharding", "username", "password", "tls");
      bound.put(name, bind(name, store));
    }
    return bound;
  }

  private static StoreConfig bind(String name, Section store) {
    List<String> given = ADDRESSES.keySet().stream().filter(store::has).toList();
    if (given.size() != 1) {
      store.problem(
          "needs exactly one of uri (one primary), uris (client-side sharded primaries) and"
              + " cluster (seed nodes)"
              + (given.isEmpty() ? "" : ", not " + String.join(" and ", given)));
    }
    String key = given.isEmpty() ? "uri" : given.get(0);
    Kind kind = ADDRESSES.get(key);
    List<String> uris = addresses(store, key, kind);
    ShardMap shardMap = sharding(store, kind, uris.size());
    Section tls = store.child("tls", "verify-peer", "truststore");
    if (tls.given() && !uris.isEmpty() && uris.stream().noneMatch(RedisUri::tls)) {
      tls.problem("has no use without an address that begins with rediss://");
    }
    return new StoreConfig(
        name,
        kind,
        uris,
        store.text("username").orElse(null),
        Secrets.read(store, "password").orElse(null),
        Values.flag(tls, "verify-peer", true),
        tls.text("truststore").orElse(null),
        shardMap);
  }

  private static List<String> addresses(Section store, String key, Kind kind) {
    Optional<List<String>> given =
        kind == Kind.STANDALONE ? store.text(key).map(List::of) : store.texts(key);
    if (given.isPresent() && given.get().isEmpty()) {
      store.problem(key, "names no address; expected a list such as [redis://localhost:7001]");
    }
    List<String> uris = given.orElse(List.of());
    if (new HashSet<>(uris).size() < uris.size()) {
      store.problem(key, "names an address twice");
    }
    List<String> valid =
        uris.stream()
            .flatMap(uri -> store.parse(key, Optional.of(uri), RedisUri::check).stream())
            .toList();
    if (kind == Kind.CLUSTER && valid.stream().anyMatch(RedisUri::namesDatabase)) {
      store.problem(key, "names a database; a cluster has number 0 only");
    }
    if (valid.stream().map(RedisUri::tls).distinct().count() > 1) {
      store.problem(key, "mixes redis:// and rediss://; a store uses TLS on every node or on none");
    }
    return valid;
  }

  /** Null where nothing, or crc32, is said. */
  private static ShardMap sharding(Section store, Kind kind, int shards) {
    if (!store.has("sharding")) {
      return null;
    }
    if (kind != Kind.SHARDED) {
      store.problem("sharding", "has no use without uris");
    }
    if (store.isScalar("sharding") && !store.overriddenByMapping("sharding")) {
      Values.choice(store, "sharding", Map.of("crc32", true));
      return null;
    }
    Section map = store.names("sharding");
    List<ShardMap.Rule> rules = new ArrayList<>();
    for (String glob : map.names()) {
      rules.add(new ShardMap.Rule(glob, Values.integer(map, glob, 0, 0, Math.max(0, shards - 1))));
    }
    if (rules.isEmpty() || !rules.get(rules.size() - 1).glob().equals(ShardMap.Rule.ANY)) {
      store.problem(
          "sharding",
          "must end with \"*\": SHARD, so that every key has a shard; first match wins");
      return null;
    }
    return new ShardMap(rules);
  }

  /** Stores that a side, a counter or a marker names. */
  static Stream<String> used(RelationConfig relation) {
    Stream<String> sides = relation.sides().stream().map(SideConfig::store);
    Stream<String> version = Stream.ofNullable(relation.version().store());
    Stream<String> marker =
        relation.marker() == null ? Stream.empty() : Stream.ofNullable(relation.marker().store());
    return Stream.of(sides, version, marker).flatMap(s -> s);
  }
}
