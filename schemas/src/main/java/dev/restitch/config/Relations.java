package dev.restitch.config;

import dev.restitch.key.InstanceName;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the relation, side and instance of a key. A lookup compares the key with the patterns of
 * its store only, and leaves each at the first byte that differs. Immutable, thread-safe.
 */
public final class Relations {

  private final Map<String, RelationConfig> byName;
  private final List<Declared> declared = new ArrayList<>();
  private final Map<String, List<Declared>> byStore = new HashMap<>();

  public Relations(Collection<RelationConfig> relations) {
    Map<String, RelationConfig> map = new LinkedHashMap<>();
    for (RelationConfig relation : relations) {
      map.put(relation.name(), relation);
      for (int i = 0; i < relation.sides().size(); i++) {
        Declared side = new Declared(relation, i);
        declared.add(side);
        byStore.computeIfAbsent(side.store(), s -> new ArrayList<>()).add(side);
      }
    }
    this.byName = Collections.unmodifiableMap(map);
  }

  /** One side of one instance. */
  public record Side(RelationConfig relation, int index, String instance, StoreKey key) {}

  private record Declared(RelationConfig relation, int index) {

    String store() {
      return relation.sides().get(index).store();
    }

    /** Null if the key does not match: cheaper than a container on the path of notifications. */
    Side match(Bytes key) {
      Optional<String> instance = relation.instanceOf(index, key);
      return instance.isEmpty()
          ? null
          : new Side(relation, index, instance.get(), new StoreKey(store(), key));
    }
  }

  public Collection<RelationConfig> all() {
    return byName.values();
  }

  public Optional<RelationConfig> named(String relation) {
    return Optional.ofNullable(byName.get(relation));
  }

  /** The relation of an instance; empty if the configuration has it no more. */
  public Optional<RelationConfig> ofInstance(String instance) {
    return named(InstanceName.relation(instance));
  }

  /** The side that a key of a store is; empty if it is declared nowhere. */
  public Optional<Side> resolve(String store, Bytes key) {
    for (Declared side : byStore.getOrDefault(store, List.of())) {
      Side found = side.match(key);
      if (found != null) {
        return Optional.of(found);
      }
    }
    return Optional.empty();
  }

  /** Every side whose pattern the key matches, whatever its store. */
  public List<Side> resolveInAnyStore(Bytes key) {
    List<Side> matches = new ArrayList<>(1);
    for (Declared side : declared) {
      Side found = side.match(key);
      if (found != null) {
        matches.add(found);
      }
    }
    return matches;
  }
}
