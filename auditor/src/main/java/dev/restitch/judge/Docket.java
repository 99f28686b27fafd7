package dev.restitch.judge;

import dev.restitch.judge.Reading.State;
import dev.restitch.model.StoreKey;
import java.util.List;
import java.util.Optional;

/**
 * The suspicions of an instance, and when each is due (MODEL.md, section 4). Everything is derived
 * from the state, so there is no list of timers to keep in step with it.
 */
final class Docket {

  /** The earliest suspicion that no judgement has settled yet. */
  record Suspicion(long due, String reason) {}

  private final InstanceState s;
  private final Facts facts;
  private Suspicion earliest;

  private Docket(InstanceState s, VersionOrder order, long now) {
    this.s = s;
    this.facts = new Facts(s, order, now);
  }

  static Optional<Suspicion> earliest(InstanceState s, VersionOrder order, long now) {
    Docket docket = new Docket(s, order, now);
    if (s.probeAt >= 0) {
      docket.offer(s.probeAt, s.probeReason);
    }
    if (s.revisitAt >= 0) {
      docket.offer(s.revisitAt, "the incident is open");
    }
    for (Transaction t : s.transactions.values()) {
      docket.suspect(t);
    }
    return Optional.ofNullable(docket.earliest);
  }

  private void suspect(Transaction t) {
    boolean effective = facts.effective(t);
    if (!effective && !t.hasIntent()) {
      return;
    }
    List<StoreKey> open = facts.uncovered(t);
    if (!open.isEmpty() && !goneHere(t) && !supersededHere(t)) {
      for (StoreKey k : open) {
        if (!facts.lost(t, k) || siblingLives(t, k, facts.asOf())) {
          unsettled(t, facts.due(t, k), "a side is not seen at the transaction");
        }
      }
      if (t.revisits > 0 && (!effective || facts.allGone(t))) {
        revisit(t);
      }
    }
    if (effective && facts.carriedHere(t)) {
      suspectMarker(t);
      suspectPayload(t);
      if (s.relation.intentsRequired() && !t.hasIntent()) {
        unsettled(t, facts.deadline(t), "the intent did not come");
      }
      suspectExpiry(t);
    }
  }

  private void suspectMarker(Transaction t) {
    if (t.marker == null && s.relation.marker() == null) {
      return;
    }
    if (!t.markerSeen()) {
      unsettled(t, facts.deadline(t), "the commit marker is due");
    } else if (facts.markerDue(t) != Long.MAX_VALUE) {
      unsettled(t, facts.markerDue(t), "the commit marker's life has ended");
    }
  }

  private void suspectPayload(Transaction t) {
    for (StoreKey k : facts.ownSides(t)) {
      KeyMemory m = facts.key(k);
      Evidence.PlannedWrite w = t.writes.get(k);
      if (m != null && m.carries(t.stamp, facts.asOf()) && w != null && w.contradicts(m.digest)) {
        unsettled(t, facts.deadline(t), "a payload is not the intent's");
      }
    }
  }

  /** A side that will expire, or has expired unseen, before its siblings. */
  private void suspectExpiry(Transaction t) {
    for (StoreKey k : facts.ownSides(t)) {
      KeyMemory m = facts.key(k);
      if (m == null || m.expiresAt == null || m.state != State.STAMPED) {
        continue;
      }
      long due = m.expiresAt + s.expirySettle();
      Evidence.PlannedWrite w = t.writes.get(k);
      Long seen = t.seenAt.get(k);
      boolean own =
          w != null && w.ttlMillis() != null && seen != null && seen + w.ttlMillis() <= due;
      if (!own
          && due <= s.lastEvidenceAt + s.relation.memory().toMillis()
          && siblingLives(t, k, due)) {
        unsettled(t, due, "a side has expired");
      }
    }
  }

  /**
   * Every key of T is known to be gone. What other instances' keys carry is only known at a probe.
   */
  private boolean goneHere(Transaction t) {
    return s.ownKeys.containsAll(t.writes.keySet()) && facts.allGone(t);
  }

  /** No side carries it any more; what other instances' keys carry is only known at a probe. */
  private boolean supersededHere(Transaction t) {
    return s.ownKeys.containsAll(t.writes.keySet()) && facts.supersededWithoutOrder(t);
  }

  private boolean siblingLives(Transaction t, StoreKey side, long when) {
    for (StoreKey k : facts.allSides(t)) {
      if (k.equals(side) || t.deletes(k)) {
        continue;
      }
      KeyMemory m = facts.key(k);
      if (!s.owns(k) || m == null || m.state == State.UNKNOWN || m.livesAt(when)) {
        return true;
      }
    }
    return false;
  }

  /** A transaction never seen, whose other sides lie in other instances: look again, less often. */
  private void revisit(Transaction t) {
    long wait = s.settle() * ((1L << Math.min(t.revisits, 20)) - 1);
    if (wait < s.relation.memory().toMillis()) {
      unsettled(t, facts.deadline(t) + wait, "a transaction that spans instances is not seen");
    }
  }

  private void unsettled(Transaction t, long due, String reason) {
    if (due > t.judgedThrough) {
      offer(due, reason);
    }
  }

  private void offer(long due, String reason) {
    if (earliest == null || due < earliest.due()) {
      earliest = new Suspicion(due, reason);
    }
  }
}
