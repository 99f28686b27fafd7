package dev.restitch.judge;

import dev.restitch.config.VersionConfig.Order;
import dev.restitch.judge.ReadAtomic.Torn;
import dev.restitch.judge.World.Logical;
import dev.restitch.model.StoreKey;
import dev.restitch.model.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What must be declared at the end of a {@link World}: the table of MODEL.md, section 4, rule by
 * rule in its order, by brute force over the true stores and what evidence showed of their past.
 */
final class VerdictOracle {

  private final World world;
  private final ReadAtomic truth;
  private final List<StoreKey> sides;
  private final List<Torn> torn;

  VerdictOracle(World world, String instance) {
    this.world = world;
    this.truth = new ReadAtomic(world, instance, World.END);
    this.sides = world.relation.keysOf(instance);
    this.torn = reported(truth.torn());
  }

  /** T is not reported if a newer torn one writes every side that T misses. */
  private List<Torn> reported(List<Torn> all) {
    return all.stream()
        .filter(
            x ->
                all.stream()
                    .noneMatch(
                        y ->
                            truth.newer(y.t().stamp(), x.t().stamp())
                                && y.t().writes().keySet().containsAll(x.behind())))
        .toList();
  }

  /** The verdict; empty: whole. */
  Optional<Verdict> expected() {
    boolean log = world.relation.log();
    List<Logical[]> pairs = log ? List.of() : contested();
    boolean versions = world.relation.version().order() != Order.NONE;
    if (versions
        && pairs.stream()
            .anyMatch(p -> Objects.equals(p[0].stamp().version(), p[1].stamp().version()))) {
      return Optional.of(Verdict.COLLISION);
    }
    if (anySide(this::foreign)) {
      return Optional.of(Verdict.FOREIGN_WRITE);
    }
    if (anySide(this::rolledBack)) {
      return Optional.of(Verdict.TORN_ROLLED_BACK);
    }
    if (!pairs.isEmpty()) {
      return Optional.of(Verdict.UNORDERED);
    }
    for (Map.Entry<String, Verdict> loss :
        List.of(
            Map.entry("evicted", Verdict.SIDE_EVICTED),
            Map.entry("expired", Verdict.SIDE_EXPIRED),
            Map.entry("del", Verdict.SIDE_DELETED))) {
      if (anySide((t, k) -> lost(t, k) && lossOf(k).equals(loss.getKey()))) {
        return Optional.of(loss.getValue());
      }
    }
    if (torn.size() > 1) {
      return Optional.of(Verdict.TORN_CROSSED);
    }
    if (torn.size() == 1) {
      return Optional.of(single(torn.get(0), log));
    }
    return healthy();
  }

  private Verdict single(Torn x, boolean log) {
    StoreKey marker = x.t().marker();
    if (marker != null && world.markersTold.contains(marker)) {
      return Verdict.COMMITTED_TORN;
    }
    if (!log && x.behind().stream().anyMatch(k -> overwritten(x.t(), k))) {
      return Verdict.TORN_OVERWRITTEN;
    }
    if (marker != null) {
      return Verdict.UNCOMMITTED;
    }
    return log ? Verdict.LOG_HOLE : Verdict.TORN_MISSING;
  }

  private Optional<Verdict> healthy() {
    List<Logical> carried =
        world.logical.stream().filter(t -> truth.effective(t) && truth.carriedHere(t)).toList();
    for (Logical t : carried) {
      for (StoreKey k : truth.ownSides(t)) {
        Stores.Value v = truth.value(k);
        Stores.Value told = world.digestTold.get(k);
        boolean known = told != null && v != null && Objects.equals(told.stamp(), v.stamp());
        if (known
            && truth.shows(k, t)
            && world.intended.get(truth.instance).contains(t.stamp())
            && !t.writes().get(k).digest().equals(v.digest())
            && told.digest().equals(v.digest())) {
          return Optional.of(Verdict.DIVERGED);
        }
      }
    }
    for (Logical t : carried) {
      if (t.marker() != null && world.markersTold.contains(t.marker()) && outlived(t)) {
        return Optional.of(Verdict.MARKER_EXPIRED);
      }
    }
    for (Logical t : carried) {
      if (t.marker() != null && !world.markersTold.contains(t.marker())) {
        return Optional.of(Verdict.MARKER_MISSING);
      }
    }
    boolean unclaimed =
        world.relation.intentsRequired()
            && carried.stream()
                .anyMatch(t -> !world.intended.get(truth.instance).contains(t.stamp()));
    return unclaimed ? Optional.of(Verdict.UNCLAIMED) : Optional.empty();
  }

  /** The marker's life ended long ago, and a side still carries T. */
  private boolean outlived(Logical t) {
    Long end = world.markers.get(t.marker());
    return end != null && end < World.QUIET + 60_000;
  }

  private interface SideRule {
    boolean applies(Logical t, StoreKey k);
  }

  private boolean anySide(SideRule rule) {
    return torn.stream().anyMatch(x -> x.behind().stream().anyMatch(k -> rule.applies(x.t(), k)));
  }

  private boolean foreign(Logical t, StoreKey k) {
    Stores.Value v = truth.value(k);
    Set<StoreKey> siblings = new LinkedHashSet<>(t.writes().keySet());
    siblings.remove(k);
    return v != null
        && !v.stamped()
        && (world.seenStamped.contains(k)
            || siblings.stream().map(truth::value).anyMatch(s -> s != null && s.stamped()));
  }

  /** Evidence showed the side at or above T on another primary than the present one. */
  private boolean rolledBack(Logical t, StoreKey k) {
    Stores.Value v = truth.value(k);
    boolean below = v == null ? !world.lossTold.containsKey(k) : v.stamped();
    return below && !seenAtOrAbove(t, k, true).isEmpty();
  }

  private boolean overwritten(Logical t, StoreKey k) {
    Stores.Value v = truth.value(k);
    return v != null && v.stamped() && !seenAtOrAbove(t, k, false).isEmpty();
  }

  private List<Logical> seenAtOrAbove(Logical t, StoreKey k, boolean onAnotherPrimary) {
    List<Logical> seen = new ArrayList<>();
    Map<dev.restitch.stamp.Stamp, String> on = world.seenOn.getOrDefault(k, Map.of());
    for (Logical other : world.logical) {
      boolean above = other == t || truth.newer(other.stamp(), t.stamp());
      String primary = on.get(other.stamp());
      boolean moved = primary != null && !primary.equals(world.stores.primary(k.store()));
      if (above && primary != null && (moved || !onAnotherPrimary)) {
        seen.add(other);
      }
    }
    return seen;
  }

  private boolean lost(Logical t, StoreKey k) {
    if (truth.value(k) != null) {
      return false;
    }
    Long first = world.firstTold.get(truth.instance).get(t.stamp());
    Long told = world.lossToldAt.get(k);
    boolean since = told != null && first != null && told > first;
    boolean logOnceSeen = world.relation.log() && world.seenStamped.contains(k);
    return since || logOnceSeen || !seenAtOrAbove(t, k, false).isEmpty();
  }

  private String lossOf(StoreKey k) {
    return world.lossTold.getOrDefault(k, "del");
  }

  /** Two that nothing orders, each carried on a side that both write. */
  private List<Logical[]> contested() {
    List<Logical[]> pairs = new ArrayList<>();
    for (Logical a : world.logical) {
      for (Logical b : world.logical) {
        boolean ordered = truth.newer(a.stamp(), b.stamp()) || truth.newer(b.stamp(), a.stamp());
        if (a.stamp() != b.stamp()
            && !a.stamp().equals(b.stamp())
            && !ordered
            && truth.effective(a)
            && truth.effective(b)
            && carriesOnCommon(a, b)
            && carriesOnCommon(b, a)) {
          pairs.add(new Logical[] {a, b});
        }
      }
    }
    return pairs;
  }

  private boolean carriesOnCommon(Logical t, Logical other) {
    return sides.stream()
        .anyMatch(
            k -> t.writes().containsKey(k) && other.writes().containsKey(k) && truth.shows(k, t));
  }
}
