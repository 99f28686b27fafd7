package dev.restitch.judge;

import dev.restitch.config.VersionConfig.Order;
import dev.restitch.judge.Evidence.Op;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.util.ArrayList;
import java.util.List;

/**
 * The definition of a tear (MODEL.md, section 3), word by word and by brute force, over what the
 * stores of a {@link World} hold at its end.
 */
final class ReadAtomic {

  private final World world;

  ReadAtomic(World world) {
    this.world = world;
  }

  /** The uncovered sides of the instance, as text; empty: whole. */
  List<String> tears(String instance) {
    List<String> tears = new ArrayList<>();
    for (World.Logical t : world.logical) {
      if (!effective(t, instance) || goneEverywhere(t) || supersededWithoutOrder(t, instance)) {
        continue;
      }
      for (StoreKey k : t.writes().keySet()) {
        if (world.instanceOf(k).equals(instance) && !covered(t, k, instance)) {
          tears.add(t.stamp() + " is not at " + k);
        }
      }
    }
    return tears;
  }

  /** Some key was seen at T by this instance, or T alone explains an absence. */
  private boolean effective(World.Logical t, String instance) {
    return world.shown.get(instance).contains(t.stamp())
        || t.writes().keySet().stream().anyMatch(k -> aloneExplainsAbsence(t, k, instance));
  }

  private boolean aloneExplainsAbsence(World.Logical t, StoreKey k, String instance) {
    return world.instanceOf(k).equals(instance)
        && deletes(t, k)
        && !world.stores.containsKey(k)
        && world.seenStamped.contains(k)
        && world.logical.stream().noneMatch(other -> other != t && deletes(other, k));
  }

  /** Several transactions may have deleted what is gone; which, the definition does not say. */
  boolean ambiguous(String instance) {
    return world.keys().stream()
        .filter(k -> world.instanceOf(k).equals(instance) && !world.stores.containsKey(k))
        .anyMatch(k -> world.logical.stream().filter(t -> deletes(t, k)).count() > 1);
  }

  private static boolean deletes(World.Logical t, StoreKey k) {
    return t.writes().containsKey(k) && t.writes().get(k).op() == Op.DELETE;
  }

  private boolean covered(World.Logical t, StoreKey k, String instance) {
    World.Value v = world.stores.get(k);
    if (v != null) {
      return v.stamp().equals(t.stamp()) || newer(v.stamp(), t.stamp());
    }
    if (t.writes().get(k).op() == Op.DELETE) {
      return true;
    }
    for (World.Logical other : world.logical) {
      if (other != t
          && newer(other.stamp(), t.stamp())
          && other.writes().containsKey(k)
          && other.writes().get(k).op() == Op.DELETE
          && effective(other, instance)) {
        return true;
      }
    }
    return false;
  }

  private boolean goneEverywhere(World.Logical t) {
    return t.writes().keySet().stream().noneMatch(world.stores::containsKey);
  }

  private boolean supersededWithoutOrder(World.Logical t, String instance) {
    boolean carried =
        t.writes().keySet().stream()
            .map(world.stores::get)
            .anyMatch(v -> v != null && v.stamp().equals(t.stamp()));
    return !carried
        && t.writes().keySet().stream()
            .filter(k -> world.instanceOf(k).equals(instance))
            .map(world.stores::get)
            .anyMatch(
                v -> v != null && !newer(v.stamp(), t.stamp()) && !newer(t.stamp(), v.stamp()));
  }

  private boolean newer(Stamp a, Stamp b) {
    Order order = world.relation.version().order();
    if (order == Order.NONE) {
      return false;
    }
    long skew = order == Order.TIMESTAMP ? world.relation.version().maxSkew().toMillis() : 0;
    return a.version() - b.version() > skew;
  }
}
