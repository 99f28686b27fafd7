package dev.restitch.judge;

import dev.restitch.config.RelationConfig;
import dev.restitch.judge.Evidence.Op;
import dev.restitch.judge.Evidence.PlannedWrite;
import dev.restitch.judge.Evidence.Result;
import dev.restitch.judge.KeyMemory.Loss;
import dev.restitch.judge.Reading.State;
import dev.restitch.model.StoreKey;
import dev.restitch.model.Verdict;
import dev.restitch.stamp.Stamp;
import java.util.List;
import java.util.Map;

/**
 * The compact binary form of an {@link InstanceState}: a version byte, then the fields in order.
 * The relation's sides must be the same, in the same order, as when it was written: the number of
 * sides is checked. Holds no payloads. Thread-safe.
 */
public final class StateCodec {

  /** Raised with every change of the form. */
  static final int VERSION = 4;

  private StateCodec() {}

  /** The state as bytes. */
  public static byte[] encode(InstanceState s) {
    StateOutput out = new StateOutput(s.ownKeys);
    out.raw(VERSION);
    out.number(s.ownKeys.size());
    out.list(s.keys.values(), m -> key(out, m));
    out.list(s.transactions.values(), t -> transaction(out, t));
    out.list(s.tombstones, hash -> out.number(hash));
    out.list(s.buriedVersions, v -> seenVersion(out, v));
    out.number(s.lastEvidenceAt);
    out.number(s.probeAt);
    out.text(s.probeReason);
    out.number(s.judgedThrough);
    out.number(s.waitLimit);
    out.number(s.seq);
    out.number(s.askedAt);
    out.number(s.firstAskedAt);
    out.number(s.askAttempt);
    out.number(s.askAgainAt);
    out.number(s.untrustedUntil);
    out.number(s.revisitAt);
    out.number(s.generationsSince);
    out.number(s.generationsCounted);
    out.number(s.generation);
    out.number(s.wakeAt);
    out.flag(s.incident != null);
    if (s.incident != null) {
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
    InstanceState s = new InstanceState(relation, instance);
    StateInput in = new StateInput(s.ownKeys, bytes);
    int version = in.raw();
    if (version != VERSION) {
      throw new IllegalStateException(
          "state of form " + version + "; this version reads form " + VERSION);
    }
    if (in.number() != s.ownKeys.size()) {
      throw new IllegalStateException("the relation had another number of sides");
    }
    in.list(() -> key(in)).forEach(m -> s.keys.put(m.key, m));
    in.list(() -> transaction(in)).forEach(t -> s.transactions.put(t.stamp, t));
    s.tombstones.addAll(in.list(() -> (int) in.number()));
    s.buriedVersions.addAll(in.list(() -> seenVersion(in)));
    s.lastEvidenceAt = in.number();
    s.probeAt = in.number();
    s.probeReason = in.text();
    s.judgedThrough = in.number();
    s.waitLimit = in.number();
    s.seq = in.number();
    s.askedAt = in.number();
    s.firstAskedAt = in.number();
    s.askAttempt = (int) in.number();
    s.askAgainAt = in.number();
    s.untrustedUntil = in.number();
    s.revisitAt = in.number();
    s.generationsSince = in.number();
    s.generationsCounted = (int) in.number();
    s.generation = (int) in.number();
    s.wakeAt = in.number();
    if (in.flag()) {
      s.incident = incident(in);
    }
    return s;
  }

  private static void key(StateOutput out, KeyMemory m) {
    out.key(m.key);
    out.choice(m.state);
    out.stamp(m.stamp);
    out.flag(m.tokens != null);
    if (m.tokens != null) {
      out.list(m.tokens, out::bytes);
    }
    out.optional(m.expiresAt);
    out.optional(m.digest);
    out.optional(m.length);
    out.number(m.at);
    out.number(m.since);
    out.number(m.otherAt);
    out.choice(m.loss);
    out.number(m.lossAt);
    out.stamp(m.top);
    out.number(m.topAt);
    out.text(m.topPrimary);
    out.list(m.rolledBack, out::bytes);
    out.text(m.primary);
    out.flag(m.everStamped);
  }

  private static KeyMemory key(StateInput in) {
    KeyMemory m = new KeyMemory(in.key());
    m.state = in.choice(State.values());
    m.stamp = in.stamp();
    m.tokens = in.flag() ? List.copyOf(in.list(in::bytes)) : null;
    m.expiresAt = in.optionalNumber();
    m.digest = in.optionalBytes();
    m.length = in.optionalNumber();
    m.at = in.number();
    m.since = in.number();
    m.otherAt = in.number();
    m.loss = in.choice(Loss.values());
    m.lossAt = in.number();
    m.top = in.stamp();
    m.topAt = in.number();
    m.topPrimary = in.text();
    m.rolledBack = List.copyOf(in.list(in::bytes));
    m.primary = in.text();
    m.everStamped = in.flag();
    return m;
  }

  private static void seenVersion(StateOutput out, InstanceState.SeenVersion v) {
    out.stamp(v.stamp());
    out.number(v.at());
  }

  private static InstanceState.SeenVersion seenVersion(StateInput in) {
    return new InstanceState.SeenVersion(in.stamp(), in.number());
  }

  private static void transaction(StateOutput out, Transaction t) {
    out.stamp(t.stamp);
    out.number(t.intentAt);
    out.number(t.firstStampAt);
    out.number(t.effectiveAt);
    out.number(t.judgedThrough);
    out.list(t.writes.entrySet(), e -> write(out, e));
    out.list(
        t.seenAt.entrySet(),
        e -> {
          out.key(e.getKey());
          out.number(e.getValue());
        });
    out.list(
        t.done.entrySet(),
        e -> {
          out.key(e.getKey());
          out.choice(e.getValue());
        });
    out.key(t.marker);
    out.optional(t.markerTtl);
    out.number(t.markerSeenAt);
    out.number(t.markerEndsAt);
    out.number(t.coveredAt);
    out.flag(t.overdue);
    out.number(t.revisits);
    out.number(t.intentPartition);
    out.number(t.intentOffset);
    out.text(t.writer);
  }

  private static Transaction transaction(StateInput in) {
    Stamp stamp = in.stamp();
    Transaction t = new Transaction(stamp);
    t.intentAt = in.number();
    t.firstStampAt = in.number();
    t.effectiveAt = in.number();
    t.judgedThrough = in.number();
    in.list(() -> Map.entry(in.key(), write(in)))
        .forEach(e -> t.writes.put(e.getKey(), e.getValue()));
    in.list(() -> Map.entry(in.key(), in.number()))
        .forEach(e -> t.seenAt.put(e.getKey(), e.getValue()));
    in.list(() -> Map.entry(in.key(), in.choice(Result.values())))
        .forEach(e -> t.done.put(e.getKey(), e.getValue()));
    t.marker = in.key();
    t.markerTtl = in.optionalNumber();
    t.markerSeenAt = in.number();
    t.markerEndsAt = in.number();
    t.coveredAt = in.number();
    t.overdue = in.flag();
    t.revisits = (int) in.number();
    t.intentPartition = (int) in.number();
    t.intentOffset = in.number();
    t.writer = in.text();
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
