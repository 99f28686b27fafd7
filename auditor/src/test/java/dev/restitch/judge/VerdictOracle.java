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
  private final List<Torn> torn;
  private final boolean unorderedReplaces;

  VerdictOracle(World world, String instance) {
    this(world, instance, true);
  }

  private VerdictOracle(World world, String instance, boolean unorderedReplaces) {
    this.world = world;
    this.unorderedReplaces = unorderedReplaces;
    this.truth = new ReadAtomic(world, instance, World.END);
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

  /** The verdict by what lies in this instance; empty: whole. */
  Optional<Verdict> expected() {
    return expected(contested().stream().filter(this::contestedHere).toList());
  }

  /**
   * The verdicts that may stand. Of two that collide across instances, one instance may tell for
   * all; and what newer transactions have once replaced on every side is known by its stamp alone.
   */
  Set<Optional<Verdict>> allowed() {
    List<Logical[]> all = contested();
    return new LinkedHashSet<>(
        List.of(
            expected(all),
            expected(all.stream().filter(this::contestedHere).toList()),
            expected(all.stream().filter(this::stillKnown).toList()),
            expected(all.stream().filter(this::contestedHere).filter(this::stillKnown).toList()),
            leniently().expected(all)));
  }

  /**
   * Whether a stamp that nothing orders against T, seen on the new primary, stood there before or
   * after T was rolled back, no evidence may tell.
   */
  private VerdictOracle leniently() {
    return new VerdictOracle(world, truth.instance, false);
  }

  /** Some instance must tell of these. */
  boolean collides() {
    return versions() && contested().stream().filter(this::stillKnown).anyMatch(this::oneVersion);
  }

  /** Of two that collide across instances, the definition leaves open which one is behind here. */
  boolean leftOpen() {
    return versions()
        && contested().stream().filter(p -> !contestedHere(p)).anyMatch(this::oneVersion);
  }

  private boolean versions() {
    return world.relation.version().order() != Order.NONE;
  }

  private boolean oneVersion(Logical[] pair) {
    return Objects.equals(pair[0].stamp().version(), pair[1].stamp().version());
  }

  private Optional<Verdict> expected(List<Logical[]> pairs) {
    boolean log = world.relation.log();
    if (versions() && pairs.stream().anyMatch(this::oneVersion)) {
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

  /**
   * Evidence showed the side at or above T on another primary than the present one, and on this one
   * nothing that may have taken T's place.
   */
  private boolean rolledBack(Logical t, StoreKey k) {
    Stores.Value v = truth.value(k);
    boolean below = v == null ? world.howGone(k) == null : v.stamped();
    boolean replacedHere =
        !world.relation.log()
            && world.logical.stream()
                .anyMatch(o -> mayReplace(o, t) && presentPrimary(k).equals(seenOn(k, o)));
    return below && !replacedHere && !seenAtOrAbove(t, k, true).isEmpty();
  }

  private boolean mayReplace(Logical o, Logical t) {
    return unorderedReplaces
        ? !truth.newer(t.stamp(), o.stamp())
        : o == t || truth.newer(o.stamp(), t.stamp());
  }

  private String presentPrimary(StoreKey k) {
    return world.stores.primary(k.store());
  }

  private String seenOn(StoreKey k, Logical t) {
    World.Told told = new World.Told(truth.instance, k);
    return world.seenOn.getOrDefault(told, Map.of()).get(t.stamp());
  }

  private boolean overwritten(Logical t, StoreKey k) {
    Stores.Value v = truth.value(k);
    return v != null && v.stamped() && !seenAtOrAbove(t, k, false).isEmpty();
  }

  private List<Logical> seenAtOrAbove(Logical t, StoreKey k, boolean onAnotherPrimary) {
    List<Logical> seen = new ArrayList<>();
    for (Logical other : world.logical) {
      boolean above = other == t || truth.newer(other.stamp(), t.stamp());
      String primary = seenOn(k, other);
      boolean moved = primary != null && !primary.equals(presentPrimary(k));
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
    return Objects.requireNonNullElse(world.howGone(k), "del");
  }

  /**
   * Two that nothing orders, each carried on a side that both write, wherever it lies; the instance
   * with a side behind declares.
   */
  private List<Logical[]> contested() {
    if (world.relation.log()) {
      return List.of();
    }
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
            && carriesOnCommon(b, a)
            && (behindHere(a) || behindHere(b))) {
          pairs.add(new Logical[] {a, b});
        }
      }
    }
    return pairs;
  }

  private boolean contestedHere(Logical[] pair) {
    List<StoreKey> here = truth.ownSides(pair[0]).stream().filter(common(pair)::contains).toList();
    return here.stream().anyMatch(k -> truth.shows(k, pair[0]))
        && here.stream().anyMatch(k -> truth.shows(k, pair[1]));
  }

  private boolean stillKnown(Logical[] pair) {
    return !truth.replacedOnce(pair[0]) && !truth.replacedOnce(pair[1]);
  }

  private boolean behindHere(Logical t) {
    return truth.ownSides(t).stream().anyMatch(k -> !truth.covered(t, k));
  }

  private static List<StoreKey> common(Logical[] pair) {
    return pair[0].writes().keySet().stream().filter(pair[1].writes()::containsKey).toList();
  }

  private boolean carriesOnCommon(Logical t, Logical other) {
    return common(new Logical[] {t, other}).stream().anyMatch(k -> truth.shows(k, t));
  }
}
