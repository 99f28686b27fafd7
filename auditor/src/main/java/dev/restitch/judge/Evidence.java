package dev.restitch.judge;

import dev.restitch.control.Directive;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.util.List;
import java.util.Map;

/** What the judge is told. Every time is recorded time (append time) in epoch milliseconds. */
public sealed interface Evidence {

  /** Recorded time, epoch milliseconds. */
  long at();

  /**
   * A writer's intent.
   *
   * @param writes the whole write set, other instances' keys too, in the writer's order
   * @param marker null: the intent names none
   * @param partition Kafka coordinates of the record; -1 where there are none
   */
  record IntentSeen(
      long at,
      Stamp stamp,
      Map<StoreKey, PlannedWrite> writes,
      StoreKey marker,
      Long markerTtlMillis,
      String writer,
      int partition,
      long offset)
      implements Evidence {

    /** The same intent of a transaction that is known by this stamp. */
    IntentSeen as(Stamp known) {
      return known.equals(stamp)
          ? this
          : new IntentSeen(at, known, writes, marker, markerTtlMillis, writer, partition, offset);
    }
  }

  /** A writer's word afterwards. */
  record DoneSeen(long at, Stamp stamp, Map<StoreKey, Result> results, Result marker)
      implements Evidence {}

  /**
   * One key, seen. {@code event} may be null. {@code urgent}: probe at once (a reader's report).
   */
  record Observed(long at, Reading reading, String event, boolean urgent) implements Evidence {}

  /**
   * A double collect.
   *
   * @param seq the ask's sequence number; null: nobody asked
   * @param askedAt recorded time of the ask; null: nobody asked
   * @param fromObservations made from earlier observations, in replay only
   */
  record SnapshotSeen(
      long at,
      Long seq,
      Long askedAt,
      boolean stable,
      List<Reading> readings,
      boolean fromObservations)
      implements Evidence {}

  /** What became of a repair command. */
  record OutcomeSeen(long at, String command, int attempt, OutcomeKind outcome, String detail)
      implements Evidence {}

  /** Something was set that may concern repairs; the book has it already. */
  record ControlSeen(long at, Directive directive) implements Evidence {}

  /** Notifications of a store may have been lost between two moments. */
  record GapSeen(long at, String store, long fromMillis, long toMillis, String why)
      implements Evidence {}

  /** Nothing new but the time: {@link InstanceState#wakeAt} has come. */
  record TimePassed(long at) implements Evidence {}

  /** What a transaction does to a key. */
  record PlannedWrite(Op op, Long ttlMillis, Bytes digest) {

    /** True if both digests are known and differ; the other one may be null. */
    boolean contradicts(Bytes seen) {
      return digest != null && seen != null && !digest.equals(seen);
    }
  }

  /** Kinds of writes. */
  enum Op {
    PUT,
    DELETE,
    APPEND
  }

  /** What a writer says of one key. */
  enum Result {
    UNKNOWN,
    OK,
    FAILED
  }

  /** See MODEL.md, section 5. */
  enum OutcomeKind {
    APPLIED,
    ALREADY,
    SUPERSEDED,
    CONFLICT,
    REFUSED,
    /** Refused by something that a control releases again. */
    HELD,
    FAILED
  }
}
