package dev.restitch.judge;

import dev.restitch.config.VersionConfig.Order;
import dev.restitch.judge.Evidence.Op;
import dev.restitch.judge.Evidence.PlannedWrite;
import dev.restitch.judge.World.Logical;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The definition of a tear (MODEL.md, section 3), word by word and by brute force, over what the
 * stores of a {@link World} held at one time. What was effective is what any evidence ever showed.
 */
final class ReadAtomic {

  /** A transaction with its sides that are not covered, in side order. */
  record Torn(Logical t, List<StoreKey> behind) {}

  /** What a snapshot shows is told so much later at most. */
  private static final long TOLD_MILLIS = 200;

  final World world;
  final String instance;
  private final long at;

  ReadAtomic(World world, String instance, long at) {
    this.world = world;
    this.instance = instance;
    this.at = at;
  }

  /** Every effective transaction that is not covered here; empty: whole. */
  List<Torn> torn() {
    List<Torn> torn = new ArrayList<>();
    for (Logical t : world.logical) {
      if (effective(t)
          && !goneEverywhere(t)
          && !supersededWithoutOrder(t)
          && !replacedEverywhere(t)) {
        List<StoreKey> behind = new ArrayList<>();
        for (StoreKey k : ownSides(t)) {
          if (!covered(t, k) && !replacedWithoutOrder(t, k)) {
            behind.add(k);
          }
        }
        if (!behind.isEmpty()) {
          torn.add(new Torn(t, behind));
        }
      }
    }
    return torn;
  }

  List<StoreKey> ownSides(Logical t) {
    return world.relation.keysOf(instance).stream().filter(t.writes()::containsKey).toList();
  }

  Stores.Value value(StoreKey k) {
    return world.stores.get(k, at);
  }

  boolean carriedHere(Logical t) {
    return ownSides(t).stream().anyMatch(k -> shows(k, t));
  }

  boolean shows(StoreKey k, Logical t) {
    Stores.Value v = value(k);
    return v != null && v.shows(t.stamp());
  }

  /** Some evidence showed T to have taken effect, or T alone explains an absence. */
  boolean effective(Logical t) {
    if (world.firstTold.get(instance).getOrDefault(t.stamp(), at) > at + TOLD_MILLIS) {
      return false;
    }
    return world.shown.get(instance).getOrDefault(t.stamp(), Long.MAX_VALUE) <= at + TOLD_MILLIS
        || ownSides(t).stream().anyMatch(k -> gapHidThis(t, k) || aloneExplainsAbsence(t, k));
  }

  /** The judge was told of a gap in which this very value was written: it must look. */
  private boolean gapHidThis(Logical t, StoreKey k) {
    Long told = world.gapped.get(k);
    return told != null
        && shows(k, t)
        && world.stores.changedAt(k, at) <= told
        && world.stores.readable(k.store(), told);
  }

  private boolean aloneExplainsAbsence(Logical t, StoreKey k) {
    return deletes(t, k)
        && value(k) == null
        && world.firstSeenAt.getOrDefault(k, Map.of()).values().stream()
            .anyMatch(seen -> seen <= at + TOLD_MILLIS)
        && !world.lossTold.containsKey(k)
        && world.logical.stream().noneMatch(other -> other != t && deletes(other, k));
  }

  /**
   * Several transactions may have deleted what is gone, or what an outsider took had replaced a
   * transaction that lives on in other instances: which then is torn, the definition leaves open.
   */
  boolean ambiguous() {
    boolean taken = world.relation.keysOf(instance).stream().anyMatch(world.lossTold::containsKey);
    return (taken && world.instances.size() > 1) || deletedBySome();
  }

  private boolean deletedBySome() {
    return world.relation.keysOf(instance).stream()
        .filter(k -> value(k) == null)
        .anyMatch(k -> world.logical.stream().anyMatch(t -> deletes(t, k)));
  }

  static boolean deletes(Logical t, StoreKey k) {
    return t.writes().containsKey(k) && t.writes().get(k).op() == Op.DELETE;
  }

  boolean covered(Logical t, StoreKey k) {
    Stores.Value v = value(k);
    if (world.relation.log() && beforeSomeWindow(t)) {
      return true;
    }
    if (v != null && v.tokens() != null) {
      return v.shows(t.stamp());
    }
    if (v != null) {
      return v.stamp() != null && (v.stamp().equals(t.stamp()) || newer(v.stamp(), t.stamp()));
    }
    if (deletes(t, k) || ownTtlPassed(t, k)) {
      return true;
    }
    return world.logical.stream()
        .anyMatch(
            other ->
                other != t
                    && (deletes(other, k) || ownTtlPassed(other, k))
                    && newer(other.stamp(), t.stamp())
                    && effective(other));
  }

  private boolean ownTtlPassed(Logical t, StoreKey k) {
    PlannedWrite w = t.writes().get(k);
    if (w == null) {
      return false;
    }
    Map<Stamp, Long> seen = world.firstSeenAt.getOrDefault(k, Map.of());
    Long since = seen.get(t.stamp());
    if (!world.intended.get(instance).contains(t.stamp()) || w.ttlMillis() == null) {
      return false;
    }
    long firstTold = world.firstTold.get(instance).get(t.stamp());
    boolean expiryTold =
        "expired".equals(world.lossTold.get(k))
            && world.lossToldAt.get(k) >= firstTold
            && world.lossToldAt.get(k) <= at + TOLD_MILLIS;
    return since == null ? expiryTold : since + w.ttlMillis() <= at;
  }

  /** What is older than the oldest token of any log's window is not judged. */
  private boolean beforeSomeWindow(Logical t) {
    return ownSides(t).stream()
        .filter(k -> value(k) != null && value(k).tokens() != null && !shows(k, t))
        .anyMatch(k -> beforeWindow(k, t.stamp().token()));
  }

  private boolean beforeWindow(StoreKey log, Bytes token) {
    Bytes oldest = value(log).tokens().get(0);
    for (StoreKey k : world.relation.keysOf(instance)) {
      Stores.Value other = value(k);
      if (!k.equals(log) && other != null && other.tokens() != null) {
        int mine = other.tokens().indexOf(token);
        int limit = other.tokens().indexOf(oldest);
        if (mine >= 0 && limit >= 0 && mine < limit) {
          return true;
        }
      }
    }
    return false;
  }

  /** Each of its sides was seen at something newer: what is lost since then is the newer one's. */
  private boolean replacedEverywhere(Logical t) {
    return !carriedHere(t) && replacedOnce(t);
  }

  /** Each of its sides here was seen at something newer. */
  boolean replacedOnce(Logical t) {
    return ownSides(t).stream()
        .allMatch(
            k ->
                world.firstSeenAt.getOrDefault(k, Map.of()).entrySet().stream()
                    .anyMatch(
                        seen ->
                            seen.getValue() <= at + TOLD_MILLIS
                                && newer(seen.getKey(), t.stamp())));
  }

  private boolean goneEverywhere(Logical t) {
    return t.writes().keySet().stream()
        .allMatch(k -> value(k) == null || (deletes(t, k) && covered(t, k)));
  }

  private boolean supersededWithoutOrder(Logical t) {
    boolean carried = t.writes().keySet().stream().anyMatch(k -> shows(k, t));
    boolean inNoLog =
        world.relation.log()
            && ownSides(t).stream().anyMatch(k -> value(k) != null && value(k).stamped());
    return !carried && (inNoLog || ownSides(t).stream().anyMatch(k -> unorderedWith(t, k)));
  }

  /** T stood there, and what replaced it is neither older nor newer: a pair, or nothing. */
  private boolean replacedWithoutOrder(Logical t, StoreKey k) {
    return unorderedWith(t, k)
        && world.firstSeenAt.getOrDefault(k, Map.of()).getOrDefault(t.stamp(), Long.MAX_VALUE)
            <= at + TOLD_MILLIS;
  }

  private boolean unorderedWith(Logical t, StoreKey k) {
    Stores.Value v = value(k);
    return v != null
        && v.stamp() != null
        && !v.stamp().equals(t.stamp())
        && !newer(v.stamp(), t.stamp())
        && !newer(t.stamp(), v.stamp());
  }

  boolean newer(Stamp a, Stamp b) {
    Order order = world.relation.version().order();
    if (order == Order.NONE) {
      return false;
    }
    long skew = order == Order.TIMESTAMP ? world.relation.version().maxSkew().toMillis() : 0;
    return a.version() - b.version() > skew;
  }
}
