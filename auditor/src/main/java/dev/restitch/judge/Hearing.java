package dev.restitch.judge;

import dev.restitch.config.RelationConfig;
import dev.restitch.judge.Finding.Guilty;
import dev.restitch.judge.Finding.Wait;
import dev.restitch.judge.Finding.Whole;
import dev.restitch.judge.KeyMemory.Loss;
import dev.restitch.judge.Reading.State;
import dev.restitch.model.StoreKey;
import dev.restitch.model.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Judges one instance by what an acceptable snapshot showed, as of its ask. The verdicts are tried
 * in the order of MODEL.md, section 4; the first that applies is found.
 */
final class Hearing {

  /** A transaction with sides that are not covered and due. */
  private record Torn(Transaction t, List<StoreKey> behind, long dueAt) {}

  /** Two effective transactions that nothing orders, each carried on a side that both write. */
  private record Pair(Transaction a, Transaction b) {}

  private final InstanceState s;
  private final RelationConfig relation;
  private final Facts facts;
  private final Set<StoreKey> read;
  private final Set<Transaction> unready = new HashSet<>();

  private final List<Torn> torn = new ArrayList<>();
  private final List<Pair> pairs = new ArrayList<>();
  private long pendingUntil = Long.MAX_VALUE;

  /** A whole transaction's marker was not read: no hindrance to a verdict that goes before. */
  private boolean markerUnread;

  /**
   * @param read the keys and markers that the snapshot showed
   */
  Hearing(InstanceState state, VersionOrder order, long asOf, Set<StoreKey> read) {
    this.s = state;
    this.read = Set.copyOf(read);
    this.relation = state.relation;
    this.facts = new Facts(state, order, asOf);
  }

  Finding find() {
    collectUnread();
    collectTorn();
    collectPairs();
    dropCoveredByNewerTears();
    Finding finding = verdict().<Finding>map(g -> g).orElseGet(Whole::new);
    if (markerUnread
        && !(finding instanceof Guilty g && g.verdict().compareTo(Verdict.MARKER_EXPIRED) < 0)) {
      pendingUntil = Math.min(pendingUntil, facts.asOf());
    }
    for (Transaction t : s.transactions.values()) {
      t.judgedThrough = Math.max(t.judgedThrough, facts.asOf());
    }
    return pendingUntil == Long.MAX_VALUE ? finding : new Wait(pendingUntil, finding);
  }

  /** Transactions that became known after the ask: it did not ask for all their keys. */
  private void collectUnread() {
    for (Transaction t : s.transactions.values()) {
      boolean open = !facts.uncovered(t).isEmpty();
      boolean markerWanted = markerUnknown(t) && (open || facts.carriedHere(t));
      boolean marker = markerWanted && !read.contains(markerKey(t).orElseThrow());
      if (open && (marker || !read.containsAll(t.writes.keySet()))) {
        pending(t, facts.asOf());
      } else if (marker) {
        unready.add(t);
        markerUnread = true;
      }
    }
  }

  private boolean markerUnknown(Transaction t) {
    return hasMarker(t) && (!t.markerSeen() || t.markerEndsAt <= facts.asOf());
  }

  private void pending(Transaction t, long until) {
    unready.add(t);
    pendingUntil = Math.min(pendingUntil, until);
  }

  private void collectTorn() {
    for (Transaction t : s.transactions.values()) {
      if (!facts.effective(t) || unready.contains(t)) {
        continue;
      }
      List<StoreKey> open = facts.uncovered(t);
      if (open.isEmpty() || facts.allGone(t) || facts.supersededWithoutOrder(t)) {
        continue;
      }
      List<StoreKey> behind = new ArrayList<>(open.size());
      long dueAt = -1;
      for (StoreKey k : open) {
        if (replacedWithoutOrder(t, k)) {
          continue;
        }
        long due = facts.due(t, k);
        if (due > facts.asOf()) {
          pending(t, due);
        } else {
          behind.add(k);
          dueAt = Math.max(dueAt, due);
        }
      }
      if (!behind.isEmpty()) {
        torn.add(new Torn(t, behind, dueAt));
      }
    }
  }

  /** T stood on the side, and what replaced it there is neither older nor newer. */
  private boolean replacedWithoutOrder(Transaction t, StoreKey k) {
    KeyMemory m = facts.key(k);
    return m != null
        && m.stateAt(facts.asOf()) == State.STAMPED
        && m.stamp != null
        && t.seenAt.containsKey(k)
        && !facts.ordered(m.stamp, t.stamp);
  }

  private void collectPairs() {
    if (relation.log()) {
      return;
    }
    List<Transaction> carried = new ArrayList<>(2);
    for (Transaction t : s.transactions.values()) {
      if (facts.effective(t) && facts.carried(t)) {
        carried.add(t);
      }
    }
    for (int i = 0; i < carried.size(); i++) {
      for (int j = i + 1; j < carried.size(); j++) {
        Transaction a = carried.get(i);
        Transaction b = carried.get(j);
        if (!facts.ordered(a.stamp, b.stamp) && carriesOnCommon(a, b) && carriesOnCommon(b, a)) {
          long due = Math.max(dueOfPair(a, b), dueOfPair(b, a));
          if (due > facts.asOf()) {
            pending(a, due);
            pending(b, due);
          } else if (!unready.contains(a) && !unready.contains(b)) {
            pairs.add(new Pair(a, b));
          }
        }
      }
    }
  }

  /** Other instances' sides count, too: the one that owns the key that is behind declares. */
  private boolean carriesOnCommon(Transaction t, Transaction other) {
    for (StoreKey k : facts.allSides(t)) {
      if (facts.writes(other, k)
          && facts.key(k) != null
          && facts.key(k).carries(t.stamp, facts.asOf())) {
        return true;
      }
    }
    return false;
  }

  private long dueOfPair(Transaction t, Transaction other) {
    long due = facts.deadline(t);
    for (StoreKey k : facts.ownSides(t)) {
      KeyMemory m = facts.key(k);
      if (m != null && m.carries(other.stamp, facts.asOf())) {
        due = Math.max(due, facts.due(t, k));
      }
    }
    return due;
  }

  /** T is not reported if a newer torn transaction writes every side that T misses. */
  private void dropCoveredByNewerTears() {
    List<Torn> all = List.copyOf(torn);
    torn.removeIf(
        x ->
            all.stream()
                .anyMatch(
                    y ->
                        y != x
                            && facts.newer(y.t().stamp, x.t().stamp)
                            && x.behind().stream().allMatch(k -> facts.writes(y.t(), k))));
  }

  private Optional<Guilty> verdict() {
    return collision()
        .or(() -> byKey(Verdict.FOREIGN_WRITE, this::foreign))
        .or(() -> byKey(Verdict.TORN_ROLLED_BACK, this::rolledBack))
        .or(this::unordered)
        .or(() -> byKey(Verdict.SIDE_EVICTED, (x, k) -> gone(x, k, Loss.EVICTED)))
        .or(() -> byKey(Verdict.SIDE_EXPIRED, (x, k) -> gone(x, k, Loss.EXPIRED)))
        .or(() -> byKey(Verdict.SIDE_DELETED, (x, k) -> gone(x, k, Loss.DELETED)))
        .or(this::crossed)
        .or(() -> byTransaction(Verdict.COMMITTED_TORN, x -> x.t().markerSeen()))
        .or(() -> byTransaction(Verdict.TORN_OVERWRITTEN, this::overwritten))
        .or(() -> byTransaction(Verdict.UNCOMMITTED, x -> hasMarker(x.t()) && !x.t().markerSeen()))
        .or(() -> byTransaction(Verdict.TORN_MISSING, x -> !relation.log()))
        .or(() -> byTransaction(Verdict.LOG_HOLE, x -> true))
        .or(this::diverged)
        .or(() -> marker(Verdict.MARKER_EXPIRED))
        .or(() -> marker(Verdict.MARKER_MISSING))
        .or(this::undecided)
        .or(this::unclaimed);
  }

  private Optional<Guilty> collision() {
    return pair(
        Verdict.COLLISION,
        p ->
            !facts.trusted()
                || (p.a().stamp.version() != null
                    && p.a().stamp.version().equals(p.b().stamp.version())));
  }

  private Optional<Guilty> unordered() {
    return pair(Verdict.UNORDERED, p -> true);
  }

  private Optional<Guilty> pair(Verdict verdict, Predicate<Pair> applies) {
    Transaction chosen = null;
    for (Pair p : pairs) {
      if (applies.test(p)) {
        chosen = newerBehind(newerBehind(chosen, p.a()), p.b());
      }
    }
    if (chosen == null) {
      return Optional.empty();
    }
    List<StoreKey> behind = facts.uncovered(chosen);
    long due = facts.deadline(chosen);
    for (StoreKey k : behind) {
      due = Math.max(due, Math.min(facts.due(chosen, k), facts.asOf()));
    }
    return Optional.of(guilty(verdict, chosen, behind, due));
  }

  private Transaction newerBehind(Transaction chosen, Transaction t) {
    boolean behind = !facts.uncovered(t).isEmpty();
    return behind && (chosen == null || facts.compare(t, chosen) > 0) ? t : chosen;
  }

  /** Says whether a rule applies to one uncovered side of a torn transaction. */
  private interface SideRule {
    boolean applies(Torn torn, StoreKey key);
  }

  private Optional<Guilty> byKey(Verdict verdict, SideRule rule) {
    Torn chosen = null;
    List<StoreKey> affected = new ArrayList<>(2);
    for (Torn x : torn) {
      boolean applies = false;
      for (StoreKey k : x.behind()) {
        if (rule.applies(x, k)) {
          applies = true;
          if (!affected.contains(k)) {
            affected.add(k);
          }
        }
      }
      if (applies && (chosen == null || facts.compare(x.t(), chosen.t()) > 0)) {
        chosen = x;
      }
    }
    if (chosen == null) {
      return Optional.empty();
    }
    if (verdict == Verdict.TORN_ROLLED_BACK) {
      return Optional.of(guilty(verdict, chosen.t(), chosen.behind(), chosen.dueAt()));
    }
    affected.sort((a, b) -> Integer.compare(s.ownKeys.indexOf(a), s.ownKeys.indexOf(b)));
    return Optional.of(guilty(verdict, chosen.t(), affected, chosen.dueAt()));
  }

  private Optional<Guilty> byTransaction(Verdict verdict, Predicate<Torn> rule) {
    return torn.stream()
        .filter(rule)
        .max((a, b) -> facts.compare(a.t(), b.t()))
        .map(x -> guilty(verdict, x.t(), x.behind(), x.dueAt()));
  }

  private Optional<Guilty> crossed() {
    return torn.size() < 2 ? Optional.empty() : byTransaction(Verdict.TORN_CROSSED, x -> true);
  }

  private boolean foreign(Torn x, StoreKey key) {
    if (facts.stateOf(key) != State.UNSTAMPED) {
      return false;
    }
    return facts.key(key).everStamped
        || facts.allSides(x.t()).stream()
            .anyMatch(k -> !k.equals(key) && facts.stateOf(k) == State.STAMPED);
  }

  private boolean rolledBack(Torn x, StoreKey key) {
    KeyMemory m = facts.key(key);
    if (m == null || m.topPrimary == null || m.primary == null || m.topPrimary.equals(m.primary)) {
      return false;
    }
    boolean below =
        m.stateAt(facts.asOf()) == State.STAMPED
            || (m.stateAt(facts.asOf()) == State.ABSENT && m.lossAt(facts.asOf()) == Loss.NONE);
    if (relation.log()) {
      return below && m.rolledBack.contains(x.t().stamp.token());
    }
    return below && facts.wasAtOrAbove(x.t(), key);
  }

  private boolean gone(Torn x, StoreKey key, Loss how) {
    if (!facts.lost(x.t(), key)) {
      return false;
    }
    Loss loss = facts.key(key).lossAt(facts.asOf());
    return (loss == Loss.NONE ? Loss.DELETED : loss) == how;
  }

  private boolean overwritten(Torn x) {
    return x.behind().stream()
        .anyMatch(
            k ->
                !relation.log()
                    && facts.stateOf(k) == State.STAMPED
                    && facts.wasAtOrAbove(x.t(), k));
  }

  private boolean hasMarker(Transaction t) {
    return markerKey(t).isPresent();
  }

  private Optional<StoreKey> markerKey(Transaction t) {
    return t.marker != null
        ? Optional.of(t.marker)
        : relation.markerOf(s.instance, t.stamp.token());
  }

  private Optional<Guilty> diverged() {
    List<StoreKey> behind = new ArrayList<>(1);
    Transaction chosen = null;
    for (Transaction t : s.transactions.values()) {
      for (StoreKey k : facts.ownSides(t)) {
        KeyMemory m = facts.key(k);
        Evidence.PlannedWrite w = t.writes.get(k);
        if (m != null
            && w != null
            && m.carries(t.stamp, facts.asOf())
            && w.contradicts(m.digest)
            && facts.deadline(t) <= facts.asOf()) {
          if (chosen != t && chosen != null && facts.compare(t, chosen) < 0) {
            continue;
          }
          if (chosen != t) {
            behind.clear();
          }
          chosen = t;
          behind.add(k);
        }
      }
    }
    return chosen == null
        ? Optional.empty()
        : Optional.of(guilty(Verdict.DIVERGED, chosen, behind, facts.deadline(chosen)));
  }

  private Optional<Guilty> marker(Verdict verdict) {
    Transaction chosen = null;
    for (Transaction t : s.transactions.values()) {
      if (facts.effective(t)
          && !unready.contains(t)
          && hasMarker(t)
          && facts.carriedHere(t)
          && facts.uncovered(t).isEmpty()
          && markerWrong(verdict, t)
          && (chosen == null || facts.compare(t, chosen) > 0)) {
        chosen = t;
      }
    }
    if (chosen == null) {
      return Optional.empty();
    }
    long due = verdict == Verdict.MARKER_EXPIRED ? facts.markerDue(chosen) : facts.deadline(chosen);
    return Optional.of(guilty(verdict, chosen, List.of(markerKey(chosen).orElseThrow()), due));
  }

  private boolean markerWrong(Verdict verdict, Transaction t) {
    if (verdict == Verdict.MARKER_MISSING) {
      return !t.markerSeen() && facts.deadline(t) <= facts.asOf();
    }
    if (!t.markerSeen() || facts.markerDue(t) > facts.asOf()) {
      return false;
    }
    long outlives = t.markerEndsAt + relation.ttlTolerance().toMillis();
    return s.ownKeys.stream()
        .map(s.keys::get)
        .anyMatch(
            m ->
                m != null
                    && m.carries(t.stamp, facts.asOf())
                    && (m.expiresAt == null || m.expiresAt >= outlives));
  }

  private Optional<Guilty> undecided() {
    for (Transaction t : s.transactions.values()) {
      if (facts.effective(t)
          || !facts.mayHaveStood(t)
          || facts.deadline(t) > facts.asOf()
          || t.stamp.version() == null) {
        continue;
      }
      List<StoreKey> behind = facts.uncovered(t);
      if (!behind.isEmpty()) {
        return Optional.of(guilty(Verdict.UNDECIDED, t, behind, facts.deadline(t)));
      }
    }
    return Optional.empty();
  }

  private Optional<Guilty> unclaimed() {
    if (!relation.intentsRequired()) {
      return Optional.empty();
    }
    Transaction chosen = null;
    for (Transaction t : s.transactions.values()) {
      if (!t.hasIntent()
          && facts.carriedHere(t)
          && facts.deadline(t) <= facts.asOf()
          && (chosen == null || facts.compare(t, chosen) > 0)) {
        chosen = t;
      }
    }
    if (chosen == null) {
      return Optional.empty();
    }
    Transaction unclaimed = chosen;
    List<StoreKey> carrying =
        s.ownKeys.stream()
            .filter(
                k -> facts.key(k) != null && facts.key(k).carries(unclaimed.stamp, facts.asOf()))
            .toList();
    return Optional.of(guilty(Verdict.UNCLAIMED, chosen, carrying, facts.deadline(chosen)));
  }

  private Guilty guilty(Verdict verdict, Transaction t, List<StoreKey> behind, long due) {
    return new Guilty(verdict, t, List.copyOf(behind), due, Rules.inWords(verdict));
  }
}
