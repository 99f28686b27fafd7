package dev.restitch.judge;

import dev.restitch.judge.Decision.Counted;
import dev.restitch.judge.Decision.Counter;
import dev.restitch.judge.Evidence.DoneSeen;
import dev.restitch.judge.Evidence.GapSeen;
import dev.restitch.judge.Evidence.IntentSeen;
import dev.restitch.judge.Evidence.Observed;
import dev.restitch.judge.Evidence.PlannedWrite;
import dev.restitch.judge.Evidence.Result;
import dev.restitch.judge.Evidence.SnapshotSeen;
import dev.restitch.judge.Reading.State;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Merges evidence into the state. Commutative and idempotent within what the state keeps: the same
 * evidence in another order, or twice, ends in the same state.
 */
final class Memory {

  private final InstanceState s;
  private final VersionOrder order;
  private final List<Decision> decisions;

  Memory(InstanceState state, VersionOrder order, List<Decision> decisions) {
    this.s = state;
    this.order = order;
    this.decisions = decisions;
  }

  void merge(IntentSeen intent) {
    IntentSeen e = intent.as(Words.identity(s, intent.stamp()));
    Transaction t = s.transactions.get(e.stamp());
    if (t == null) {
      if (s.buried(e.stamp())) {
        return;
      }
      t = s.transaction(e.stamp());
      Words.claim(s, t, e.at());
    }
    if (!t.hasIntent()) {
      noteRegression(e, heardAt(t, e.at()));
    }
    boolean disagree = t.hasIntent() && !t.writes.equals(e.writes());
    if (disagree) {
      count(Counter.INTENTS_DISAGREE);
    }
    if (s.relation.writesAll() && !e.writes().keySet().containsAll(s.ownKeys)) {
      count(Counter.SMALLER_INTENT);
    }
    if (!t.hasIntent() || disagree) {
      t.judgedThrough = -1; // what T writes was not known
    }
    if (!t.hasIntent() || goesBefore(e, t)) {
      t.intentAt = e.at();
      t.writes.clear();
      t.writes.putAll(e.writes());
      t.intentPartition = e.partition();
      t.intentOffset = e.offset();
      t.writer = e.writer();
      t.marker = e.marker();
      t.markerTtl = e.markerTtlMillis();
      t.markerEnds();
    }
    for (StoreKey k : e.writes().keySet()) {
      KeyMemory m = s.keys.get(k);
      boolean carried = m != null && (e.stamp().equals(m.stamp) || m.hasToken(e.stamp().token()));
      if (carried && m.state == State.STAMPED) {
        t.seen(k, m.since);
      }
    }
    alive(e.at());
  }

  /** Of several intents under one token the first counts; at equal times, whatever came first. */
  private static boolean goesBefore(IntentSeen e, Transaction t) {
    return e.at() < t.intentAt
        || (e.at() == t.intentAt && inOrder(e.writes()).compareTo(inOrder(t.writes)) < 0);
  }

  private static String inOrder(Map<StoreKey, PlannedWrite> writes) {
    return writes.entrySet().stream().map(Object::toString).sorted().toList().toString();
  }

  /**
   * A new token although an equal or higher version was seen more than settle ago.
   *
   * @param newAt when the token was first heard of: an intent that is late makes it no newer
   */
  private void noteRegression(IntentSeen e, long newAt) {
    Stamp stamp = e.stamp();
    if (!order.exists() || stamp.version() == null) {
      return;
    }
    boolean regressed =
        s.buriedVersions.stream().anyMatch(v -> before(v.stamp(), v.at(), stamp, newAt));
    for (Transaction other : s.transactions.values()) {
      regressed |= before(other.stamp, other.firstStampAt, stamp, newAt);
    }
    for (StoreKey k : s.ownKeys) {
      KeyMemory m = s.keys.get(k);
      regressed |= m != null && m.top != null && before(m.top, m.topAt, stamp, newAt);
    }
    if (regressed) {
      count(Counter.VERSION_REGRESSION);
      s.untrustedUntil = Math.max(s.untrustedUntil, e.at() + s.relation.memory().toMillis());
    }
  }

  /** The same, where the evidence of the other version arrives after the intent. */
  private void noteLateRegression(Stamp seen, long seenAt) {
    if (!order.exists()) {
      return;
    }
    for (Transaction t : s.transactions.values()) {
      long until = t.intentAt + s.relation.memory().toMillis();
      if (t.hasIntent()
          && t.stamp.version() != null
          && until > s.untrustedUntil
          && before(seen, seenAt, t.stamp, heardAt(t, t.intentAt))) {
        count(Counter.VERSION_REGRESSION);
        s.untrustedUntil = until;
      }
    }
  }

  private static long heardAt(Transaction t, long intentAt) {
    return t.firstStampAt < 0 ? intentAt : Math.min(t.firstStampAt, intentAt);
  }

  private boolean before(Stamp seen, long seenAt, Stamp token, long newAt) {
    return seenAt >= 0
        && seen.version() != null
        && !seen.equals(token)
        && (seen.version().equals(token.version()) || order.newer(seen, token))
        && newAt > seenAt + s.settle();
  }

  void merge(DoneSeen e) {
    Stamp stamp = Words.resolve(s, e.stamp());
    if (!s.transactions.containsKey(stamp) && s.buried(stamp)) {
      return;
    }
    Transaction t = s.transaction(stamp);
    for (Map.Entry<StoreKey, Result> r : e.results().entrySet()) {
      t.done.merge(r.getKey(), r.getValue(), (a, b) -> a == Result.UNKNOWN ? b : a);
      if (r.getValue() == Result.OK) {
        t.effective(e.at());
      }
    }
    if (e.marker() == Result.OK) {
      t.markerSeen(e.at(), null, s.markerTtl());
    }
    if (Words.waits(s, t)) {
      t.effectiveAt = -1; // it takes effect when it is known whose word it is
    }
    alive(e.at());
  }

  void merge(Observed e) {
    Reading r = e.reading();
    if (s.owns(r.key())) {
      own(r, e.at(), e.event(), false);
      if (!s.memory(r.key()).reading().agreesWith(r)) {
        // recorded between an ask and its answer, or in one millisecond with what is taken to stand
        wantProbe(e.at(), "an observation that came late says otherwise");
      }
    } else {
      marker(r, e.at());
    }
    if (e.urgent()) {
      wantProbe(e.at(), "a reader saw stamps disagree");
    }
    alive(e.at());
  }

  /** True if nothing is known any more to be behind that the open incident names. */
  boolean incidentCovered(long at) {
    Incident incident = s.incident;
    if (incident == null || incident.stamp == null) {
      return false;
    }
    Transaction t = s.transactions.get(incident.stamp);
    Facts facts = new Facts(s, order, at);
    return t == null
        || (incident.verdict.aboutMarker()
            ? t.markerSeen() && t.markerEndsAt > at
            : incident.behind.stream().allMatch(k -> facts.covered(t, k)));
  }

  /** Merges a snapshot; true if a key that was known is now taken to carry something else. */
  boolean merge(SnapshotSeen e) {
    boolean news = false;
    for (Reading r : e.readings()) {
      KeyMemory m = s.keys.get(r.key());
      Reading before = m == null || m.at < 0 ? null : m.reading();
      long seenAt = seenAt(e, r);
      if (s.owns(r.key())) {
        own(r, seenAt, null, e.askedAt() == null);
      } else if (!marker(r, seenAt)) {
        foreign(r, e.at(), e.askedAt() == null ? e.at() : e.askedAt());
      }
      news |= before != null && !before.agreesWith(m.reading());
    }
    return news;
  }

  /** What was recorded after the ask, and says otherwise, is later than what the snapshot read. */
  private long seenAt(SnapshotSeen e, Reading r) {
    if (r.observedAtMillis() != null) {
      return r.observedAtMillis();
    }
    KeyMemory m = s.keys.get(r.key());
    boolean stale = e.askedAt() != null && m != null && m.disagreesSince(e.askedAt(), r);
    return stale ? e.askedAt() : e.at();
  }

  void merge(GapSeen e) {
    for (StoreKey k : s.ownKeys) {
      KeyMemory m = s.keys.get(k);
      boolean remembered = m != null ? m.at <= e.toMillis() : !s.transactions.isEmpty();
      if (k.store().equals(e.store()) && remembered) {
        wantProbe(e.at(), "notifications may have been lost");
        return;
      }
    }
  }

  private void own(Reading r, long at, String event, boolean perhapsOld) {
    KeyMemory m = s.memory(r.key());
    Bytes digest = m.digest;
    if (s.relation.log()) {
      Logs.noteRollback(s, m, r, perhapsOld);
    }
    boolean gone = m.state == State.ABSENT;
    KeyMemory.Loss loss = m.loss;
    boolean changed = m.merge(r, at, event, perhapsOld, order);
    if (changed) {
      alive(at);
      if (r.state() == State.ABSENT) {
        doubtDeletes(r.key());
      } else if (gone) {
        doubtSettled(r.key());
      }
    } else if (loss != m.loss) {
      doubtDeletes(r.key()); // it was there in between
    }
    if (s.relation.log()) {
      Logs.noteTransactions(s, order, r, at);
    } else if (r.state() == State.STAMPED && r.stamp() != null) {
      boolean buried = !s.transactions.containsKey(r.stamp()) && s.buried(r.stamp());
      Transaction t = s.transaction(r.stamp());
      Words.claim(s, t, at);
      if (buried) {
        t.coveredAt = at; // counted when it was whole, or superseded
      }
      t.seen(r.key(), at);
      if (changed && t.coveredAt >= 0) {
        t.judgedThrough = -1; // it stands again where it did not
      }
      if (at + s.settle() < s.lastEvidenceAt) {
        noteLateRegression(r.stamp(), at);
      }
      PlannedWrite w = t.writes.get(r.key());
      if (w != null && w.contradicts(m.digest) && !m.digest.equals(digest)) {
        t.judgedThrough = -1; // another payload under the same stamp
      }
    }
  }

  /** An absence may show a transaction to be effective that was thought not to be. */
  private void doubtDeletes(StoreKey key) {
    for (Transaction t : s.transactions.values()) {
      if (t.deletes(key) && t.effectiveAt < 0) {
        t.judgedThrough = -1;
      }
    }
  }

  /** What was whole because all of it was gone is not, once something stands there again. */
  private void doubtSettled(StoreKey key) {
    for (Transaction t : s.transactions.values()) {
      if (t.coveredAt >= 0 && (s.relation.writesAll() || t.writes.containsKey(key))) {
        t.judgedThrough = -1;
      }
    }
  }

  /** A key of another instance: first seen, for this one, at the ask that found it. */
  private void foreign(Reading r, long at, long askedAt) {
    if (r.state() == State.UNREADABLE) {
      return;
    }
    s.memory(r.key()).merge(r, at, null, false, order);
    Transaction t = r.stamp() == null ? null : s.transactions.get(r.stamp());
    if (t != null && t.writes.containsKey(r.key())) {
      t.seen(r.key(), askedAt);
    }
  }

  /** True if the key is a marker of a transaction known here. */
  private boolean marker(Reading r, long at) {
    if (r.state() == State.STAMPED || r.state() == State.UNSTAMPED) {
      return false;
    }
    for (Transaction t : s.transactions.values()) {
      if (r.key().equals(markerKey(t).orElse(null))) {
        if (r.state() == State.PRESENT) {
          t.markerSeen(at, r.expiresAtMillis(), s.markerTtl());
        }
        return true;
      }
    }
    return false;
  }

  private Optional<StoreKey> markerKey(Transaction t) {
    return t.marker != null
        ? Optional.of(t.marker)
        : s.relation.markerOf(s.instance, t.stamp.token());
  }

  /** Raises a suspicion, unless a snapshot that was asked for since then settles it. */
  void wantProbe(long at, String reason) {
    long asked = s.askAgainAt >= 0 ? Math.max(s.askedAt, s.judgedThrough) : s.judgedThrough;
    if (at > asked) {
      probeAt(at, reason);
    }
  }

  /** Wants a probe at that time or before, whatever was asked until then. */
  void probeAt(long at, String reason) {
    if (s.probeAt < 0 || at < s.probeAt) {
      s.probeAt = at;
      s.probeReason = reason;
    }
  }

  private void alive(long at) {
    s.lastEvidenceAt = Math.max(s.lastEvidenceAt, at);
  }

  private void count(Counter counter) {
    decisions.add(new Counted(counter));
  }
}
