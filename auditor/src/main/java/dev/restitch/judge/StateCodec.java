package dev.restitch.judge;

import dev.restitch.config.RelationConfig;
import dev.restitch.judge.Evidence.Op;
import dev.restitch.judge.Evidence.PlannedWrite;
import dev.restitch.judge.Evidence.Result;
import dev.restitch.judge.KeyMemory.Loss;
import dev.restitch.judge.Reading.State;
import dev.restitch.model.StoreKey;
import dev.restitch.model.Verdict;
import java.util.List;
import java.util.Map;

/**
 * The compact binary form of an {@link InstanceState}: a version byte, then what is there, in
 * order; times are distances from that of the last evidence. The relation's sides must be the same,
 * in the same order, as when it was written: the number of sides is checked. Holds no payloads.
 * Thread-safe.
 */
public final class StateCodec {

  /** Raised with every change of the form. */
  static final int VERSION = 5;

  private static final State[] STATES = State.values();
  private static final Loss[] LOSSES = Loss.values();

  private StateCodec() {}

  /** The state as bytes. */
  public static byte[] encode(InstanceState s) {
    StateOutput out = new StateOutput(s.ownKeys);
    out.raw(VERSION);
    out.number(s.ownKeys.size());
    out.base(s.lastEvidenceAt);
    int has =
        bit(0, s.probeAt != -1 || s.probeReason != null)
            | bit(1, !s.tombstones.isEmpty())
            | bit(2, !s.buriedVersions.isEmpty())
            | bit(3, s.askedAt != -1 || s.firstAskedAt != -1 || s.askAttempt != 0)
            | bit(4, s.revisitAt != -1 || s.waitLimit != -1 || s.untrustedUntil != -1)
            | bit(5, s.generationsSince != -1 || s.generationsCounted != 0 || s.generation != 0)
            | bit(6, s.incident != null);
    out.unsigned(has);
    out.list(s.keys.values(), m -> key(out, m));
    out.list(s.transactions.values(), t -> transaction(out, t));
    out.number(s.seq);
    out.time(s.judgedThrough);
    out.time(s.askAgainAt);
    out.time(s.wakeAt);
    if (is(has, 0)) {
      out.time(s.probeAt);
      out.text(s.probeReason);
    }
    if (is(has, 1)) {
      out.list(s.tombstones, hash -> out.number(hash));
    }
    if (is(has, 2)) {
      out.list(s.buriedVersions, v -> seenVersion(out, v));
    }
    if (is(has, 3)) {
      out.time(s.askedAt);
      out.time(s.firstAskedAt);
      out.number(s.askAttempt);
    }
    if (is(has, 4)) {
      out.time(s.waitLimit);
      out.time(s.untrustedUntil);
      out.time(s.revisitAt);
    }
    if (is(has, 5)) {
      out.time(s.generationsSince);
      out.number(s.generationsCounted);
      out.number(s.generation);
    }
    if (is(has, 6)) {
      incident(out, s.incident);
    }
    return out.toByteArray();
  }

  /**
   * The state from bytes.
   *
   * @throws IllegalStateException if the bytes are damaged, of another version, or of a relation
   *     with other sides
   */
  public static InstanceState decode(RelationConfig relation, String instance, byte[] bytes) {
    return decode(relation, instance, bytes, 0);
  }

  /**
   * The state that begins at a place in an array and ends with it.
   *
   * @throws IllegalStateException as {@link #decode(RelationConfig, String, byte[])}
   */
  public static InstanceState decode(
      RelationConfig relation, String instance, byte[] bytes, int from) {
    InstanceState s = new InstanceState(relation, instance);
    StateInput in = new StateInput(s.ownKeys, bytes, from);
    int version = in.raw();
    if (version != VERSION) {
      throw new IllegalStateException(
          "state of form " + version + "; this version reads form " + VERSION);
    }
    if (in.number() != s.ownKeys.size()) {
      throw new IllegalStateException("the relation had another number of sides");
    }
    s.lastEvidenceAt = in.base();
    long has = in.unsigned();
    for (int left = in.count(); left > 0; left--) {
      KeyMemory m = key(in);
      s.keys.put(m.key, m);
    }
    for (int left = in.count(); left > 0; left--) {
      Transaction t = transaction(in);
      s.transactions.put(t.stamp, t);
    }
    s.seq = in.number();
    s.judgedThrough = in.time();
    s.askAgainAt = in.time();
    s.wakeAt = in.time();
    if (is(has, 0)) {
      s.probeAt = in.time();
      s.probeReason = in.text();
    }
    if (is(has, 1)) {
      s.tombstones.addAll(in.list(() -> (int) in.number()));
    }
    if (is(has, 2)) {
      s.buriedVersions.addAll(in.list(() -> seenVersion(in)));
    }
    if (is(has, 3)) {
      s.askedAt = in.time();
      s.firstAskedAt = in.time();
      s.askAttempt = (int) in.number();
    }
    if (is(has, 4)) {
      s.waitLimit = in.time();
      s.untrustedUntil = in.time();
      s.revisitAt = in.time();
    }
    if (is(has, 5)) {
      s.generationsSince = in.time();
      s.generationsCounted = (int) in.number();
      s.generation = (int) in.number();
    }
    if (is(has, 6)) {
      s.incident = incident(in);
    }
    return s;
  }

  private static int bit(int number, boolean set) {
    return set ? 1 << number : 0;
  }

  private static boolean is(long bits, int number) {
    return (bits >> number & 1) != 0;
  }

  private static void key(StateOutput out, KeyMemory m) {
    int has =
        bit(0, m.everStamped)
            | bit(1, m.tokens != null)
            | bit(2, m.expiresAt != null)
            | bit(3, m.digest != null)
            | bit(4, m.length != null)
            | bit(5, m.loss != Loss.NONE || m.lossAt != -1)
            | bit(6, !m.rolledBack.isEmpty());
    out.key(m.key);
    out.unsigned(has);
    out.choice(m.state);
    out.stamp(m.stamp);
    out.stamp(m.top);
    out.time(m.at);
    out.time(m.since);
    out.time(m.otherAt);
    out.time(m.topAt);
    out.text(m.primary);
    out.text(m.topPrimary);
    if (is(has, 1)) {
      out.list(m.tokens, out::bytes);
    }
    if (is(has, 2)) {
      out.time(m.expiresAt);
    }
    if (is(has, 3)) {
      out.bytes(m.digest);
    }
    if (is(has, 4)) {
      out.number(m.length);
    }
    if (is(has, 5)) {
      out.choice(m.loss);
      out.time(m.lossAt);
    }
    if (is(has, 6)) {
      out.list(m.rolledBack, out::bytes);
    }
  }

  private static KeyMemory key(StateInput in) {
    KeyMemory m = new KeyMemory(in.key());
    long has = in.unsigned();
    m.everStamped = is(has, 0);
    m.state = in.choice(STATES);
    m.stamp = in.stamp();
    m.top = in.stamp();
    m.at = in.time();
    m.since = in.time();
    m.otherAt = in.time();
    m.topAt = in.time();
    m.primary = in.text();
    m.topPrimary = in.text();
    m.tokens = is(has, 1) ? List.copyOf(in.list(in::bytes)) : null;
    m.expiresAt = is(has, 2) ? Long.valueOf(in.time()) : null;
    m.digest = is(has, 3) ? in.bytes() : null;
    m.length = is(has, 4) ? Long.valueOf(in.number()) : null;
    if (is(has, 5)) {
      m.loss = in.choice(LOSSES);
      m.lossAt = in.time();
    }
    if (is(has, 6)) {
      m.rolledBack = List.copyOf(in.list(in::bytes));
    }
    return m;
  }

  private static void seenVersion(StateOutput out, InstanceState.SeenVersion v) {
    out.stamp(v.stamp());
    out.time(v.at());
  }

  private static InstanceState.SeenVersion seenVersion(StateInput in) {
    return new InstanceState.SeenVersion(in.stamp(), in.time());
  }

  private static void transaction(StateOutput out, Transaction t) {
    boolean intent = t.hasIntent() || !t.writes.isEmpty() || t.writer != null;
    int has =
        bit(0, t.overdue)
            | bit(1, intent || t.intentPartition != -1 || t.intentOffset != -1)
            | bit(2, !t.done.isEmpty())
            | bit(3, t.marker != null || t.markerTtl != null)
            | bit(4, t.markerSeen() || t.markerEndsAt != Long.MAX_VALUE)
            | bit(5, t.revisits != 0);
    out.stamp(t.stamp);
    out.unsigned(has);
    out.time(t.firstStampAt);
    out.time(t.effectiveAt);
    out.time(t.judgedThrough);
    out.time(t.coveredAt);
    out.list(
        t.seenAt.entrySet(),
        e -> {
          out.key(e.getKey());
          out.time(e.getValue());
        });
    if (is(has, 1)) {
      out.time(t.intentAt);
      out.list(t.writes.entrySet(), e -> write(out, e));
      out.number(t.intentPartition);
      out.number(t.intentOffset);
      out.text(t.writer);
    }
    if (is(has, 2)) {
      out.list(
          t.done.entrySet(),
          e -> {
            out.key(e.getKey());
            out.choice(e.getValue());
          });
    }
    if (is(has, 3)) {
      out.key(t.marker);
      out.optional(t.markerTtl);
    }
    if (is(has, 4)) {
      out.time(t.markerSeenAt);
      out.time(t.markerEndsAt);
    }
    if (is(has, 5)) {
      out.number(t.revisits);
    }
  }

  private static Transaction transaction(StateInput in) {
    Transaction t = new Transaction(in.stamp());
    long has = in.unsigned();
    t.overdue = is(has, 0);
    t.firstStampAt = in.time();
    t.effectiveAt = in.time();
    t.judgedThrough = in.time();
    t.coveredAt = in.time();
    for (int left = in.count(); left > 0; left--) {
      StoreKey k = in.key();
      t.seenAt.put(k, in.time());
    }
    if (is(has, 1)) {
      t.intentAt = in.time();
      in.list(() -> Map.entry(in.key(), write(in)))
          .forEach(e -> t.writes.put(e.getKey(), e.getValue()));
      t.intentPartition = (int) in.number();
      t.intentOffset = in.number();
      t.writer = in.text();
    }
    if (is(has, 2)) {
      in.list(() -> Map.entry(in.key(), in.choice(Result.values())))
          .forEach(e -> t.done.put(e.getKey(), e.getValue()));
    }
    if (is(has, 3)) {
      t.marker = in.key();
      t.markerTtl = in.optionalNumber();
    }
    if (is(has, 4)) {
      t.markerSeenAt = in.time();
      t.markerEndsAt = in.time();
    }
    if (is(has, 5)) {
      t.revisits = (int) in.number();
    }
    return t;
  }

  private static void write(StateOutput out, Map.Entry<StoreKey, PlannedWrite> e) {
    out.key(e.getKey());
    out.choice(e.getValue().op());
    out.optional(e.getValue().ttlMillis());
    out.optional(e.getValue().digest());
  }

  private static PlannedWrite write(StateInput in) {
    return new PlannedWrite(in.choice(Op.values()), in.optionalNumber(), in.optionalBytes());
  }

  private static void incident(StateOutput out, Incident i) {
    out.text(i.id);
    out.choice(i.phase);
    out.choice(i.verdict);
    out.stamp(i.stamp);
    out.list(i.behind, out::key);
    out.text(i.rule);
    out.flag(i.fromObservations);
    out.text(i.action);
    out.number(i.suspectedAt);
    out.number(i.dueAt);
    out.number(i.declaredAt);
    out.number(i.updatedAt);
    out.number(i.closedAt);
    out.number(i.attempts);
    out.number(i.generation);
    out.text(i.lastOutcome);
    out.list(
        i.story,
        step -> {
          out.number(step.at());
          out.text(step.what());
          out.text(step.detail());
        });
    out.number(i.policyIndex);
    out.number(i.policyAttempts);
    out.number(i.cleanSnapshots);
    out.flag(i.applied);
    out.text(i.command);
    out.number(i.commandAttempt);
    out.number(i.commandNotAfter);
  }

  private static Incident incident(StateInput in) {
    Incident i = new Incident(in.text());
    i.phase = in.choice(Incident.Phase.values());
    i.verdict = in.choice(Verdict.values());
    i.stamp = in.stamp();
    i.behind = List.copyOf(in.list(in::key));
    i.rule = in.text();
    i.fromObservations = in.flag();
    i.action = in.text();
    i.suspectedAt = in.number();
    i.dueAt = in.number();
    i.declaredAt = in.number();
    i.updatedAt = in.number();
    i.closedAt = in.number();
    i.attempts = (int) in.number();
    i.generation = (int) in.number();
    i.lastOutcome = in.text();
    i.story.addAll(in.list(() -> new Incident.Step(in.number(), in.text(), in.text())));
    i.policyIndex = (int) in.number();
    i.policyAttempts = (int) in.number();
    i.cleanSnapshots = (int) in.number();
    i.applied = in.flag();
    i.command = in.text();
    i.commandAttempt = (int) in.number();
    i.commandNotAfter = in.number();
    return i;
  }
}
