package dev.restitch.sandbox.simulation;

import dev.restitch.config.RelationConfig;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** What an instance must be when all has come to rest. */
final class Expected {

  private final World world;
  private final String instance;
  private final List<StoreKey> keys;
  private final RelationConfig relation;
  private final Map<StoreKey, Value> lastByOwner;
  private final List<Client> clients;

  Expected(World world, String instance, Map<StoreKey, Value> lastByOwner) {
    this.world = world;
    this.instance = instance;
    this.relation = world.relations.ofInstance(instance).orElseThrow();
    this.keys = relation.keysOf(instance);
    this.lastByOwner = lastByOwner;
    this.clients = world.clients.stream().filter(c -> c.instance.equals(instance)).toList();
  }

  /** What is wrong with it; empty: nothing. */
  Optional<String> wrong() {
    boolean lost = world.failedOver && !world.hasTruth(relation); // nobody knows what was meant
    if (!relation.writesAll()) {
      return lost ? Optional.empty() : notAtomic();
    }
    Set<Stamp> stamps = new HashSet<>();
    for (StoreKey key : keys) {
      Value value = value(key);
      stamps.add(value == null ? null : value.stamp());
    }
    if (stamps.size() > 1) {
      return Optional.of("is not whole: " + shown());
    }
    if (lost) {
      return Optional.empty();
    }
    return world.hasTruth(relation) ? notTrue() : notNewest().or(this::notMarked);
  }

  /** False where owners have deleted, with no truth to tell what was meant to come of that. */
  boolean certain() {
    return relation.writesAll() && certainOfAll() && !world.failedOver;
  }

  private boolean certainOfAll() {
    return world.hasTruth(relation)
        || clients.stream().noneMatch(c -> c.deletes && !c.wrote.isEmpty());
  }

  private Value value(StoreKey key) {
    return world.stores.get(key.store()).get(key);
  }

  private boolean carried(Client client) {
    return keys.stream().anyMatch(k -> value(k) != null && client.stamp.equals(value(k).stamp()));
  }

  private List<String> shown() {
    return keys.stream().map(k -> k + "=" + value(k)).toList();
  }

  private List<Optional<Bytes>> payloads() {
    return keys.stream().map(k -> Optional.ofNullable(value(k)).map(Value::payload)).toList();
  }

  /**
   * It must say what the truth has said since the last commit of anybody of whose writes something
   * is known.
   */
  private Optional<String> notTrue() {
    List<TruthTable.Row> past = world.truth.past(instance);
    int least = 0;
    // where versions have gone back, nothing tells which of them is newer
    for (int i = 0; i < past.size() && !world.failedOver; i++) {
      String transaction = past.get(i).transaction();
      if (clients.stream().anyMatch(c -> c.name.equals(transaction) && c.noticed && !c.overrun)) {
        least = i;
      }
    }
    List<Optional<Bytes>> standing = payloads();
    List<TruthTable.Row> since = past.subList(Math.min(least, past.size()), past.size());
    // where owners delete all, and be it too late, nothing is left that could be torn
    boolean deleted = keys.stream().allMatch(k -> lastByOwner.get(k) == null);
    boolean nothing = standing.stream().allMatch(Optional::isEmpty) && (past.isEmpty() || deleted);
    return nothing || since.stream().anyMatch(row -> row.payloads().equals(standing))
        ? Optional.empty()
        : Optional.of(
            "does not say the truth, which is " + world.truthWord(instance) + "'s: " + shown());
  }

  /** What stands, whole, is marked. */
  private Optional<String> notMarked() {
    Value value = value(keys.get(0));
    return value == null
        ? Optional.empty()
        : relation
            .markerOf(instance, value.stamp().token())
            .filter(marker -> world.value(marker) == null)
            .map(marker -> "is whole without " + marker);
  }

  /** Every side of every transaction that anything is known of must have it, or something newer. */
  private Optional<String> notAtomic() {
    for (Client t : clients) {
      if (t.wrote.isEmpty() || t.overrun || !(t.noticed || carried(t))) {
        continue;
      }
      if (superseded(t)) {
        continue;
      }
      boolean allGone = t.keys.stream().allMatch(key -> value(key) == null); // which is whole
      for (StoreKey key : allGone ? List.<StoreKey>of() : t.keys) {
        if (!covered(t, key)) {
          return Optional.of(t.stamp + " is not whole on " + key + ": " + shown());
        }
      }
    }
    return Optional.empty();
  }

  /** No side carries it, and nothing orders it against what stands there instead. */
  private boolean superseded(Client t) {
    return !carried(t)
        && t.keys.stream()
            .map(this::value)
            .anyMatch(v -> v != null && !newer(v.stamp(), t.stamp) && !newer(t.stamp, v.stamp()));
  }

  private boolean covered(Client t, StoreKey key) {
    Value value = value(key);
    if (value == null) {
      return t.deletes
          || clients.stream()
              .anyMatch(c -> c.deletes && c.effectiveOn(key) && !newer(t.stamp, c.stamp));
    }
    boolean replaced = !newer(t.stamp, value.stamp()) && (t.wrote.contains(key) || !carried(t));
    return value.stamp().equals(t.stamp) || newer(value.stamp(), t.stamp) || replaced;
  }

  private boolean newer(Stamp one, Stamp other) {
    return relation.version().newer(one, other);
  }

  /** It must carry the newest transaction; where owners delete, nothing of what they deleted. */
  private Optional<String> notNewest() {
    if (!certainOfAll()) {
      boolean gone = keys.stream().allMatch(k -> lastByOwner.get(k) == null);
      return gone && keys.stream().anyMatch(k -> value(k) != null)
          ? Optional.of("is back, although its owners deleted it: " + shown())
          : Optional.empty();
    }
    Optional<Client> newest =
        clients.stream()
            .filter(c -> !c.wrote.isEmpty() && (c.noticed || carried(c)))
            .max(Comparator.comparingLong(c -> c.stamp.version()));
    if (newest.isEmpty()) {
      return Optional.empty(); // nobody has written, or nobody could see it
    }
    List<Optional<Bytes>> wanted = new ArrayList<>();
    keys.forEach(k -> wanted.add(Optional.of(newest.get().payload(k))));
    boolean same =
        payloads().equals(wanted)
            && keys.stream().allMatch(k -> Objects.equals(value(k).stamp(), newest.get().stamp));
    return same
        ? Optional.empty()
        : Optional.of("does not carry the newest, " + newest.get().stamp + ": " + shown());
  }
}
