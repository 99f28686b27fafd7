package dev.restitch.doctor;

import dev.restitch.config.MarkerConfig;
import dev.restitch.config.RelationConfig;
import dev.restitch.config.RepairPolicyConfig.Policy;
import dev.restitch.config.RestitchConfig;
import dev.restitch.config.SideConfig;
import dev.restitch.config.StoreConfig;
import dev.restitch.config.VersionConfig;
import dev.restitch.key.InstanceName;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the configuration asks of one store. Pure. */
final class StoreNeeds {

  /** An id that no instance has. */
  static final String NOBODY = "restitch-doctor-nobody";

  private final StoreConfig store;
  private final List<RelationConfig> relations;

  StoreNeeds(RestitchConfig config, StoreConfig store) {
    this.store = store;
    this.relations = List.copyOf(config.relations().values());
  }

  StoreConfig store() {
    return store;
  }

  List<SideConfig> sides() {
    return relations.stream()
        .flatMap(r -> r.sides().stream())
        .filter(side -> side.store().equals(store.name()))
        .toList();
  }

  /** Versions are minted here. */
  boolean counters() {
    return relations.stream().anyMatch(this::countsHere);
  }

  private boolean countsHere(RelationConfig relation) {
    VersionConfig version = relation.version();
    return version.mintable() && version.store().equals(store.name());
  }

  /** Commit markers that expire stand here. */
  boolean expiringMarkers() {
    return relations.stream().anyMatch(r -> marksHere(r) && r.marker().ttl() != null);
  }

  private boolean marksHere(RelationConfig relation) {
    MarkerConfig marker = relation.marker();
    return marker != null && marker.store().equals(store.name());
  }

  /** Sides stand here whose loss in a failover no sweep finds. */
  boolean someWrites() {
    return relations.stream().filter(r -> !r.writesAll()).anyMatch(this::hasSideHere);
  }

  private boolean hasSideHere(RelationConfig relation) {
    return relation.sides().stream().anyMatch(side -> side.store().equals(store.name()));
  }

  /** How far this store's clock may be off, as far as the relations that touch it care. */
  Duration tolerance() {
    return relations.stream()
        .filter(this::hasSideHere)
        .flatMap(
            r ->
                r.version().order() == VersionConfig.Order.TIMESTAMP
                    ? Stream.of(r.ttlTolerance(), r.version().maxSkew())
                    : Stream.of(r.ttlTolerance()))
        .min(Comparator.naturalOrder())
        .orElse(Duration.ofSeconds(5));
  }

  /** The commands that this store's user must be allowed, on keys that stand for their kinds. */
  List<Right> rights() {
    List<Right> rights = new ArrayList<>();
    rights.add(Right.of("INFO", "server"));
    rights.add(Right.of("SCAN", "0"));
    if (store.kind() == StoreConfig.Kind.CLUSTER) {
      rights.add(Right.of("CLUSTER", "NODES"));
    }
    for (RelationConfig relation : relations) {
      String instance = nobody(relation);
      for (int i = 0; i < relation.sides().size(); i++) {
        if (relation.sides().get(i).store().equals(store.name())) {
          side(relation, i, relation.keyOf(instance, i), rights);
        }
      }
      if (marksHere(relation)) {
        marker(relation, relation.markerOf(instance, Bytes.utf8(NOBODY)), rights);
      }
      if (countsHere(relation) && rewrites(relation)) {
        String key = text(relation.counterOf(instance).orElseThrow());
        String glob = Right.glob(relation.version().key());
        rights.add(Right.worker("GET", glob, key));
        rights.add(Right.worker("SET", glob, key, "1"));
        rights.add(Right.worker("INCR", glob, key));
      }
    }
    return rights.stream().distinct().toList();
  }

  private static void side(RelationConfig relation, int index, StoreKey at, List<Right> rights) {
    SideConfig side = relation.sides().get(index);
    String key = text(at);
    String glob = Right.glob(side.key());
    rights.add(Right.of("PTTL", glob, key));
    switch (side.type()) {
      case STRING -> {
        rights.add(Right.of("GETRANGE", glob, key, "0", "0"));
        rights.add(Right.of("STRLEN", glob, key));
        if (repairs(relation)) {
          rights.add(Right.worker("EVALSHA", glob, "0".repeat(40), "1", key));
          rights.add(Right.worker("EVAL", glob, "return 0", "1", key));
          rights.add(Right.worker("GET", glob, key));
          rights.add(Right.worker("EXISTS", glob, key));
          rights.add(Right.worker("SET", glob, key, "1"));
          rights.add(Right.worker("DEL", glob, key));
        }
      }
      case HASH -> {
        rights.add(Right.of("HSTRLEN", glob, key, "f"));
        rights.add(Right.of("HMGET", glob, key, "f"));
      }
      case LIST -> {
        rights.add(Right.of("LRANGE", glob, key, "-1", "-1"));
        rights.add(Right.of("LLEN", glob, key));
      }
      case ZSET -> {
        rights.add(Right.of("ZRANGE", glob, key, "-1", "-1"));
        rights.add(Right.of("ZCARD", glob, key));
      }
    }
  }

  private static void marker(RelationConfig relation, Optional<StoreKey> at, List<Right> rights) {
    String key = text(at.orElseThrow());
    String glob = Right.glob(relation.marker().key());
    rights.add(Right.of("PTTL", glob, key));
    if (repairs(relation)) {
      rights.add(Right.worker("SET", glob, key, "1"));
    }
  }

  private static boolean repairs(RelationConfig relation) {
    return relation.repair().stream().anyMatch(p -> p.policy() != Policy.REPORT);
  }

  private static boolean rewrites(RelationConfig relation) {
    return relation.repair().stream().anyMatch(p -> p.policy() == Policy.SOURCE_OF_TRUTH);
  }

  private static String nobody(RelationConfig relation) {
    int ids = relation.captureNames().size();
    return InstanceName.of(relation.name(), Collections.nCopies(ids, Bytes.utf8(NOBODY)));
  }

  /** Keys of nobody are as much text as their patterns are. */
  private static String text(StoreKey key) {
    return key.key().asUtf8().orElseGet(() -> key.key().toString());
  }
}
