package dev.restitch.config;

import dev.restitch.key.InstanceName;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the relation, side and instance of a key. Immutable. */
public final class Relations {

  private final Map<String, RelationConfig> byName;

  public Relations(Collection<RelationConfig> relations) {
    Map<String, RelationConfig> map = new LinkedHashMap<>();
    relations.forEach(r -> map.put(r.name(), r));
    this.byName = java.util.Collections.unmodifiableMap(map);
  }

  /** One side of one instance. */
  public record Side(RelationConfig relation, int index, String instance, StoreKey key) {}

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
    for (RelationConfig relation : byName.values()) {
      for (int i = 0; i < relation.sides().size(); i++) {
        if (relation.sides().get(i).store().equals(store)) {
          Optional<String> instance = relation.instanceOf(i, key);
          if (instance.isPresent()) {
            return Optional.of(new Side(relation, i, instance.get(), new StoreKey(store, key)));
          }
        }
      }
    }
    return Optional.empty();
  }

  /** Every side whose pattern the key matches, whatever its store. */
  public List<Side> resolveInAnyStore(Bytes key) {
    List<Side> found = new ArrayList<>(1);
    for (RelationConfig relation : byName.values()) {
      for (int i = 0; i < relation.sides().size(); i++) {
        Optional<String> instance = relation.instanceOf(i, key);
        if (instance.isPresent()) {
          found.add(
              new Side(
                  relation, i, instance.get(), new StoreKey(relation.sides().get(i).store(), key)));
        }
      }
    }
    return found;
  }
}
