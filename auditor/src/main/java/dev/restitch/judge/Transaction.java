package dev.restitch.judge;

import dev.restitch.judge.Evidence.Op;
import dev.restitch.judge.Evidence.PlannedWrite;
import dev.restitch.judge.Evidence.Result;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * T: one logical write, as this instance knows it. Mutable; owned by one {@link InstanceState}.
 * Times are epoch milliseconds, -1 where they are not known.
 */
final class Transaction {

  final Stamp stamp;

  long intentAt = -1;

  /** First time that T's stamp was seen on a key. */
  long firstStampAt = -1;

  /** First time that anything showed T to be effective. */
  long effectiveAt = -1;

  /**
   * Time of the last ask that T was heard for; suspicions of T that were due until then are
   * settled, or the hearing itself asked for another. -1: there was none.
   */
  long judgedThrough = -1;

  /** W(T) as the intent tells it; empty where no intent came. */
  final Map<StoreKey, PlannedWrite> writes = new LinkedHashMap<>();

  /** First time that a key was seen at T. */
  final Map<StoreKey, Long> seenAt = new LinkedHashMap<>();

  final Map<StoreKey, Result> done = new LinkedHashMap<>();

  StoreKey marker;
  Long markerTtl;

  /** First sighting of the marker. */
  long markerSeenAt = -1;

  /** When the marker's life ends; {@link Long#MAX_VALUE}: never, or not known. */
  long markerEndsAt = Long.MAX_VALUE;

  /** When all sides of this instance were first known to be covered. */
  long coveredAt = -1;

  /** True once it was counted as not whole in time. */
  boolean overdue;

  /** How often a transaction never seen was asked for beyond its deadline. */
  int revisits;

  int intentPartition = -1;
  long intentOffset = -1;
  String writer;

  Transaction(Stamp stamp) {
    this.stamp = stamp;
  }

  boolean hasIntent() {
    return intentAt >= 0;
  }

  /** The earliest evidence of T. */
  long firstEvidenceAt() {
    if (intentAt < 0) {
      return firstStampAt >= 0 ? firstStampAt : effectiveAt;
    }
    return firstStampAt < 0 ? intentAt : Math.min(intentAt, firstStampAt);
  }

  boolean deletes(StoreKey key) {
    PlannedWrite w = writes.get(key);
    return w != null && w.op() == Op.DELETE;
  }

  /** When the first evidence of its effect was recorded; else, if nothing tells, the given time. */
  long effectSince(long otherwise) {
    if (firstStampAt >= 0) {
      return firstStampAt;
    }
    return effectiveAt >= 0 ? effectiveAt : otherwise;
  }

  void seen(StoreKey key, long at) {
    seenAt.merge(key, at, Math::min);
    firstStampAt = firstStampAt < 0 ? at : Math.min(firstStampAt, at);
    effective(at);
  }

  void effective(long at) {
    if (effectiveAt < 0) {
      judgedThrough = -1;
    }
    effectiveAt = effectiveAt < 0 ? at : Math.min(effectiveAt, at);
  }

  /** The intent tells the TTL of a marker that was seen before it. */
  void markerEnds() {
    if (markerSeen() && markerEndsAt == Long.MAX_VALUE && markerTtl != null) {
      markerEndsAt = markerSeenAt + markerTtl;
    }
  }

  boolean markerSeen() {
    return markerSeenAt >= 0;
  }

  /** Notes a sighting of the marker; {@code expiresAt} null: not told. */
  void markerSeen(long at, Long expiresAt, Long relationTtl) {
    boolean first = markerSeenAt < 0;
    boolean outlived = markerEndsAt <= at;
    if (first || at < markerSeenAt) {
      markerSeenAt = at;
    }
    Long ttl = markerTtl != null ? markerTtl : relationTtl;
    if (expiresAt != null) {
      markerEndsAt = expiresAt;
    } else if (first || outlived) {
      markerEndsAt = ttl == null ? Long.MAX_VALUE : at + ttl;
    }
    effective(at);
  }
}
