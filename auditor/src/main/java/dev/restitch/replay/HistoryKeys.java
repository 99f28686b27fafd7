package dev.restitch.replay;

import dev.restitch.config.RelationConfig;
import dev.restitch.config.Relations;
import dev.restitch.key.InstanceName;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds what the keys, instances and stores of history lines are. Immutable. */
final class HistoryKeys {

  private final Relations relations;

  HistoryKeys(Relations relations) {
    this.relations = relations;
  }

  /**
   * The side that a key is; empty if it is declared nowhere.
   *
   * @param store null: the line does not tell
   * @throws IllegalArgumentException if the key stands in several stores and none is named
   */
  Optional<Relations.Side> side(Bytes key, String store) {
    if (store != null) {
      return relations.resolve(store, key);
    }
    List<Relations.Side> sides = relations.resolveInAnyStore(key);
    if (sides.size() > 1) {
      throw new IllegalArgumentException(
          "key \"" + key + "\" stands in several stores; the line must name its \"store\"");
    }
    return sides.stream().findFirst();
  }

  /** The side of a name that may have its store in front, as {@code east/conf:a}. */
  Optional<Relations.Side> named(String name) {
    int slash = name.indexOf('/');
    Optional<Relations.Side> inStore =
        slash < 0
            ? Optional.empty()
            : relations.resolve(name.substring(0, slash), Bytes.utf8(name.substring(slash + 1)));
    return inStore.isPresent() ? inStore : side(Bytes.utf8(name), null);
  }

  /** The side of a key in base64, that may have its store in front: {@code east//wA=}. */
  Optional<Relations.Side> named64(String name) {
    int slash = name.indexOf('/');
    boolean store = slash > 0 && knowsStore(name.substring(0, slash));
    return side(
        HistoryFields.base64(store ? name.substring(slash + 1) : name),
        store ? name.substring(0, slash) : null);
  }

  /** The marker that a key is, of whatever relation; empty: of none. */
  Optional<StoreKey> marker(Bytes key, String store) {
    for (RelationConfig r : relations.all()) {
      if (r.marker() != null
          && (store == null || store.equals(r.marker().store()))
          && r.marker().key().match(key).isPresent()) {
        return Optional.of(new StoreKey(r.marker().store(), key));
      }
    }
    return Optional.empty();
  }

  /**
   * The marker that an intent names: in the store of its relation's markers, unless it says more.
   *
   * @throws IllegalArgumentException if nothing tells the store
   */
  StoreKey markerOfIntent(Bytes key, String store, Set<String> instances) {
    if (store != null) {
      return new StoreKey(store, key);
    }
    for (String instance : instances) {
      RelationConfig relation = relations.ofInstance(instance).orElseThrow();
      if (relation.marker() != null) {
        return new StoreKey(relation.marker().store(), key);
      }
    }
    return marker(key, null)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no relation of the configuration has a marker like \"" + key + "\""));
  }

  /**
   * The instance's name as keys give it; empty if its relation is declared nowhere.
   *
   * @throws IllegalArgumentException if it cannot be an instance of its relation
   */
  Optional<String> instance(String name) {
    Optional<RelationConfig> relation = relations.ofInstance(name);
    if (relation.isEmpty()) {
      return Optional.empty();
    }
    List<Bytes> ids = InstanceName.ids(name);
    int wanted = relation.get().captureNames().size();
    if (ids.size() != wanted) {
      throw new IllegalArgumentException(
          "instance \"" + name + "\" has " + ids.size() + " ids; its relation captures " + wanted);
    }
    return Optional.of(InstanceName.of(relation.get().name(), ids));
  }

  /** True if a side of some relation stands in the store. */
  boolean knowsStore(String store) {
    return relations.all().stream()
        .anyMatch(r -> r.sides().stream().anyMatch(s -> s.store().equals(store)));
  }
}
