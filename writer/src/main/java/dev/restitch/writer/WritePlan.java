package dev.restitch.writer;

import dev.restitch.config.RelationConfig;
import dev.restitch.config.Relations;
import dev.restitch.config.SideType;
import dev.restitch.config.VersionConfig.Order;
import dev.restitch.key.InstanceName;
import dev.restitch.model.StoreKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A request, resolved against the configuration and found allowed. */
record WritePlan(List<KeyWrite> writes, Map<String, RelationConfig> instances) {

  /**
   * Resolves a request.
   *
   * @throws IllegalArgumentException with a sentence that says what is wrong
   */
  static WritePlan of(WriteRequest request, Relations relations, boolean fenced) {
    List<KeyWrite> writes = new ArrayList<>(request.targets().size());
    Map<String, RelationConfig> instances = new LinkedHashMap<>();
    Set<StoreKey> keys = new LinkedHashSet<>();
    for (WriteRequest.Target target : request.targets()) {
      KeyWrite write = resolve(target, relations, fenced);
      if (!keys.add(write.key())) {
        throw new IllegalArgumentException(write.key() + " is written twice in one transaction");
      }
      writes.add(write);
      instances.put(write.instance(), write.relation());
    }
    instances.forEach((instance, relation) -> requireAllSides(instance, relation, keys));
    requireOneOrder(instances);
    return new WritePlan(List.copyOf(writes), instances);
  }

  private static KeyWrite resolve(WriteRequest.Target target, Relations relations, boolean fenced) {
    RelationConfig relation =
        relations
            .named(target.relation())
            .orElseThrow(
                () -> new IllegalArgumentException("no relation is named " + target.relation()));
    int side = sideNamed(relation, target.side());
    if (relation.sides().get(side).type() != SideType.STRING) {
      throw new IllegalArgumentException(
          "side "
              + target.side()
              + " of "
              + relation.name()
              + " is not a string; the stamped"
              + " writer writes strings");
    }
    if (fenced && !relation.stamp().startsWithVersion()) {
      throw new IllegalArgumentException(
          "a fenced write needs a stamp that begins with the version; relation "
              + relation.name()
              + " has "
              + relation.stamp());
    }
    if (target.ids().size() != relation.captureNames().size()) {
      throw new IllegalArgumentException(
          relation.name() + " takes the ids " + relation.captureNames());
    }
    String instance = InstanceName.of(relation.name(), target.ids());
    StoreKey key = relation.keyOf(instance, side);
    if (!relation.instanceOf(side, key.key()).equals(Optional.of(instance))) {
      throw new IllegalArgumentException("an id is not empty and has no ':' in it: " + instance);
    }
    return new KeyWrite(relation, side, instance, key, target.op());
  }

  private static int sideNamed(RelationConfig relation, String name) {
    for (int i = 0; i < relation.sides().size(); i++) {
      if (relation.sides().get(i).name().equals(name)) {
        return i;
      }
    }
    throw new IllegalArgumentException(relation.name() + " has no side named " + name);
  }

  private static void requireAllSides(
      String instance, RelationConfig relation, Set<StoreKey> keys) {
    if (relation.writesAll() && !keys.containsAll(relation.keysOf(instance))) {
      throw new IllegalArgumentException(
          "relation "
              + relation.name()
              + " is marked 'writes: all', and this write of "
              + instance
              + " leaves a side out");
    }
  }

  private static void requireOneOrder(Map<String, RelationConfig> instances) {
    Set<Order> orders = new LinkedHashSet<>();
    for (RelationConfig relation : instances.values()) {
      if (relation.stamp().hasVersion()) {
        orders.add(relation.version().order());
        if (relation.version().order() != Order.TIMESTAMP && !relation.version().mintable()) {
          throw new IllegalArgumentException(
              "relation "
                  + relation.name()
                  + " has a version in its stamp, but no version.store and"
                  + " version.key to mint it from");
        }
      }
    }
    if (orders.contains(Order.TIMESTAMP) && orders.size() > 1) {
      throw new IllegalArgumentException(
          "one transaction has one version: it cannot span relations ordered by counter and by"
              + " timestamp");
    }
  }

  /** True if the version is the clock's. */
  boolean byClock() {
    return instances.values().stream()
        .anyMatch(r -> r.stamp().hasVersion() && r.version().order() == Order.TIMESTAMP);
  }

  /** The counters to mint from; empty where no stamp has a version, or the clock mints. */
  List<StoreKey> counters() {
    Set<StoreKey> counters = new LinkedHashSet<>();
    instances.forEach(
        (instance, relation) -> {
          if (relation.stamp().hasVersion() && relation.version().order() != Order.TIMESTAMP) {
            relation.counterOf(instance).ifPresent(counters::add);
          }
        });
    return List.copyOf(counters);
  }
}
