package dev.restitch.judge;

import dev.restitch.judge.Evidence.PlannedWrite;
import dev.restitch.judge.Evidence.Result;
import dev.restitch.judge.KeyMemory.Loss;
import dev.restitch.judge.Reading.State;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.util.ArrayList;
import java.util.List;

/**
 * What is true of an instance as of one moment, in the words of MODEL.md, section 3: effective,
 * covered, carried, gone, and when a side's deadline passes. Reads the state and never changes it.
 */
final class Facts {

  private final InstanceState s;
  private final VersionOrder order;
  private final long asOf;

  Facts(InstanceState state, VersionOrder order, long asOf) {
    this.s = state;
    this.order = order;
    this.asOf = asOf;
  }

  long asOf() {
    return asOf;
  }

  boolean trusted() {
    return asOf >= s.untrustedUntil;
  }

  /** {@code a} is newer than {@code b} in the trusted order. */
  boolean newer(Stamp a, Stamp b) {
    return trusted() && order.newer(a, b);
  }

  boolean ordered(Stamp a, Stamp b) {
    return newer(a, b) || newer(b, a);
  }

  KeyMemory key(StoreKey key) {
    return s.keys.get(key);
  }

  State stateOf(StoreKey key) {
    KeyMemory m = s.keys.get(key);
    return m == null ? State.UNKNOWN : m.stateAt(asOf);
  }

  /** The keys of W(T) in this instance, in side order. */
  List<StoreKey> ownSides(Transaction t) {
    if (s.relation.writesAll()) {
      return s.ownKeys;
    }
    List<StoreKey> sides = new ArrayList<>(s.ownKeys.size());
    for (StoreKey k : s.ownKeys) {
      if (t.writes.containsKey(k)) {
        sides.add(k);
      }
    }
    return sides;
  }

  boolean writes(Transaction t, StoreKey key) {
    return t.writes.containsKey(key) || (s.relation.writesAll() && s.owns(key));
  }

  /** All keys of W(T), other instances' too. */
  List<StoreKey> allSides(Transaction t) {
    List<StoreKey> all = new ArrayList<>(ownSides(t));
    for (StoreKey k : t.writes.keySet()) {
      if (!all.contains(k)) {
        all.add(k);
      }
    }
    return all;
  }

  boolean effective(Transaction t) {
    return t.effectiveAt >= 0 || effectiveByAbsence(t);
  }

  /** An absence that only this transaction's delete explains. */
  private boolean effectiveByAbsence(Transaction t) {
    for (StoreKey k : s.ownKeys) {
      if (mayHaveDeleted(t, k)
          && s.transactions.values().stream()
              .noneMatch(other -> other != t && mayHaveDeleted(other, k))) {
        return true;
      }
    }
    return false;
  }

  /** The side is gone, a stamp stood on it, and T's delete was meant when it went. */
  private boolean mayHaveDeleted(Transaction t, StoreKey k) {
    if (!t.deletes(k)) {
      return false;
    }
    KeyMemory m = s.keys.get(k);
    boolean outdated = m != null && m.top != null && newer(m.top, t.stamp);
    return m != null
        && !outdated // something newer stood there since: its delete would be a late one
        && (m.everStamped || m.loss == Loss.DELETED)
        && m.state == State.ABSENT
        && (m.lossAt(asOf) == Loss.NONE || m.loss == Loss.DELETED)
        && Math.max(m.since, m.lossAt) >= t.intentAt - s.settle();
  }

  boolean carried(Transaction t) {
    return carriedIn(t, s.keys.keySet());
  }

  boolean carriedHere(Transaction t) {
    return carriedIn(t, s.ownKeys);
  }

  private boolean carriedIn(Transaction t, Iterable<StoreKey> keys) {
    for (StoreKey k : keys) {
      KeyMemory m = s.keys.get(k);
      if (m != null && (m.carries(t.stamp, asOf) || m.hasToken(t.stamp.token()))) {
        return true;
      }
    }
    return false;
  }

  boolean covered(Transaction t, StoreKey key) {
    if (s.relation.log() && Logs.olderThanSomeWindow(s, t.stamp.token(), ownSides(t))) {
      return true;
    }
    KeyMemory m = s.keys.get(key);
    if (m == null) {
      return false;
    }
    return switch (m.stateAt(asOf)) {
      case STAMPED ->
          s.relation.log()
              ? m.hasToken(t.stamp.token())
              : m.stamp.equals(t.stamp) || newer(m.stamp, t.stamp);
      case ABSENT -> absenceExplained(t, key);
      case UNSTAMPED, PRESENT, UNREADABLE, UNKNOWN -> false;
    };
  }

  private boolean absenceExplained(Transaction t, StoreKey key) {
    if (t.deletes(key)) {
      return true;
    }
    if (ownTtlPassed(t, key)) {
      return true;
    }
    for (Transaction other : s.transactions.values()) {
      boolean removes = other.deletes(key) || ownTtlPassed(other, key);
      if (other != t
          && removes
          && !mayBeNewer(t, other)
          && (effective(other) || mayHaveDeleted(other, key))) {
        return true;
      }
    }
    return false;
  }

  /** What nothing orders cannot explain an absence; where the order is not trusted, it may. */
  private boolean mayBeNewer(Transaction t, Transaction other) {
    return trusted() && !order.newer(other.stamp, t.stamp);
  }

  /** An expiry after T's first evidence counts as a sighting of T, which then stood since that. */
  private boolean ownTtlPassed(Transaction t, StoreKey key) {
    PlannedWrite w = t.writes.get(key);
    if (w == null || w.ttlMillis() == null) {
      return false;
    }
    Long seen = t.seenAt.get(key);
    if (seen == null && s.keys.get(key).loss == Loss.EXPIRED && lost(t, key)) {
      seen = t.firstEvidenceAt();
    }
    return seen != null && (seen + w.ttlMillis() <= asOf || toldEndPassed(t, key, w, seen));
  }

  /** A reading told when the value ends, and it is the end that T wrote. */
  private boolean toldEndPassed(Transaction t, StoreKey key, PlannedWrite w, long seen) {
    Long end = s.keys.get(key).expiresAt;
    long written = end == null ? -1 : end - w.ttlMillis();
    return end != null
        && end < asOf
        && written <= seen
        && written >= t.firstEvidenceAt() - s.settle();
  }

  /** The keys of W(T) in this instance that are not covered, in side order. */
  List<StoreKey> uncovered(Transaction t) {
    List<StoreKey> open = List.of();
    for (StoreKey k : ownSides(t)) {
      if (!covered(t, k)) {
        if (open.isEmpty()) {
          open = new ArrayList<>(2);
        }
        open.add(k);
      }
    }
    return open;
  }

  /**
   * Of a transaction never seen: some side, of any instance, is newer, so that T may have stood
   * there, and its writer does not say that it failed there.
   */
  boolean mayHaveStood(Transaction t) {
    for (StoreKey k : allSides(t)) {
      if (t.done.get(k) != Result.FAILED && covered(t, k)) {
        return true;
      }
    }
    return false;
  }

  /** The side was once seen at T, or at something newer. */
  boolean wasAtOrAbove(Transaction t, StoreKey key) {
    if (t.seenAt.containsKey(key)) {
      return true;
    }
    KeyMemory m = s.keys.get(key);
    if (m == null) {
      return false;
    }
    if (s.relation.log()) {
      return m.everStamped;
    }
    return m.top != null && (m.top.equals(t.stamp) || newer(m.top, t.stamp));
  }

  /** The side is gone, and something of T stood there, or went from there after T's evidence. */
  boolean lost(Transaction t, StoreKey key) {
    KeyMemory m = s.keys.get(key);
    if (m == null || m.stateAt(asOf) != State.ABSENT) {
      return false;
    }
    return wasAtOrAbove(t, key) || (m.loss != Loss.NONE && m.lossAt > t.firstEvidenceAt());
  }

  /** Every key that T wrote is known to be gone, and those that it deleted are covered. */
  boolean allGone(Transaction t) {
    for (StoreKey k : allSides(t)) {
      if (stateOf(k) != State.ABSENT && !(t.deletes(k) && covered(t, k))) {
        return false;
      }
    }
    return true;
  }

  /**
   * No side carries it any more, and nothing orders it against what stands there; tokens of logs
   * are ordered by nothing but the windows that hold them.
   */
  boolean supersededWithoutOrder(Transaction t) {
    if (carried(t)) {
      return false;
    }
    if (s.relation.log()) { // it has left every window, and nothing tells where it stood
      return ownSides(t).stream().anyMatch(k -> stateOf(k) == State.STAMPED);
    }
    for (StoreKey k : ownSides(t)) {
      KeyMemory m = s.keys.get(k);
      if (m != null
          && m.stateAt(asOf) == State.STAMPED
          && m.stamp != null
          && !m.stamp.equals(t.stamp)
          && !ordered(m.stamp, t.stamp)) {
        return true;
      }
    }
    return false;
  }

  /** T's own deadline: first stamp, or before any stamp its intent, plus settle. */
  long deadline(Transaction t) {
    long from = t.firstStampAt >= 0 ? t.firstStampAt : t.intentAt >= 0 ? t.intentAt : t.effectiveAt;
    return from + s.settle();
  }

  /** When an uncovered side of T is due. */
  long due(Transaction t, StoreKey key) {
    long due = deadline(t);
    KeyMemory m = s.keys.get(key);
    if (m != null && (wasAtOrAbove(t, key) || lost(t, key) || t.deletes(key))) {
      boolean expired = m.stateAt(asOf) == State.ABSENT && m.lossAt(asOf) == Loss.EXPIRED;
      due = Math.max(due, m.sinceAt(asOf) + (expired ? s.expirySettle() : s.settle()));
      if (m.stateAt(asOf) == State.ABSENT) {
        due = Math.max(due, carriedSince(t) + s.settle()); // T may stand elsewhere only since then
      }
    } else if (m != null && t.deletes(key) && m.since > t.firstEvidenceAt()) {
      due = Math.max(due, m.since + s.settle()); // something stands there again
    }
    return due;
  }

  /** Since when every side here that carries T has carried it; -1: none does. */
  private long carriedSince(Transaction t) {
    long since = -1;
    for (StoreKey k : s.ownKeys) {
      KeyMemory m = s.keys.get(k);
      if (m != null && m.carries(t.stamp, asOf)) {
        since = Math.max(since, m.since);
      }
    }
    return since;
  }

  /** The end of the marker's life plus the tolerance; {@link Long#MAX_VALUE}: never. */
  long markerDue(Transaction t) {
    return t.markerEndsAt == Long.MAX_VALUE ? Long.MAX_VALUE : t.markerEndsAt + s.expirySettle();
  }

  /** The newer of two transactions; where nothing orders them the later first stamp, then token. */
  int compare(Transaction a, Transaction b) {
    if (newer(a.stamp, b.stamp)) {
      return 1;
    }
    if (newer(b.stamp, a.stamp)) {
      return -1;
    }
    int byFirst = Long.compare(a.firstStampAt, b.firstStampAt);
    return byFirst != 0 ? byFirst : a.stamp.token().compareTo(b.stamp.token());
  }
}
