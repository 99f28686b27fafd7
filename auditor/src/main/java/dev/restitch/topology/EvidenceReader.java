package dev.restitch.topology;

import dev.restitch.avro.Done;
import dev.restitch.avro.EvidenceSource;
import dev.restitch.avro.Gap;
import dev.restitch.avro.Intent;
import dev.restitch.avro.KeyState;
import dev.restitch.avro.Observation;
import dev.restitch.avro.RepairOutcome;
import dev.restitch.avro.Snapshot;
import dev.restitch.avro.Write;
import dev.restitch.avro.WriteResult;
import dev.restitch.judge.Evidence;
import dev.restitch.judge.Evidence.PlannedWrite;
import dev.restitch.judge.Evidence.Result;
import dev.restitch.judge.Reading;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;

/** Makes the judge's evidence of the records of the topics. Stateless. */
public final class EvidenceReader {

  private EvidenceReader() {}

  /**
   * Evidence of a record.
   *
   * @param at the record's append time
   * @throws IllegalArgumentException if the record says something impossible
   */
  public static Evidence read(SpecificRecord record, long at, int partition, long offset) {
    if (record instanceof Observation r) {
      boolean urgent = r.getSource() == EvidenceSource.READER;
      return new Evidence.Observed(at, reading(r.getReading()), r.getEvent(), urgent);
    }
    if (record instanceof Intent r) {
      return intent(r, at, partition, offset);
    }
    if (record instanceof Done r) {
      return done(r, at);
    }
    if (record instanceof Snapshot r) {
      List<Reading> readings = new ArrayList<>(r.getSides().size());
      r.getSides().forEach(side -> readings.add(reading(side)));
      return new Evidence.SnapshotSeen(
          at, r.getSeq(), r.getAskedAtMillis(), r.getStable(), readings, false);
    }
    if (record instanceof RepairOutcome r) {
      return new Evidence.OutcomeSeen(
          at, r.getCommand(), r.getAttempt(), outcome(r), r.getDetail());
    }
    if (record instanceof Gap r) {
      return new Evidence.GapSeen(at, r.getStore(), r.getFromMillis(), r.getToMillis(), r.getWhy());
    }
    throw new IllegalArgumentException(
        "the judge does not read records of type " + record.getClass().getSimpleName());
  }

  private static Evidence intent(Intent r, long at, int partition, long offset) {
    Map<StoreKey, PlannedWrite> writes = new LinkedHashMap<>();
    for (Write w : r.getWrites()) {
      writes.put(
          key(w.getStore(), w.getKey()),
          new PlannedWrite(
              Evidence.Op.valueOf(w.getOp().name()), w.getTtlMillis(), digest(w.getDigest())));
    }
    StoreKey marker = null;
    Long ttl = null;
    if (r.getMarker() != null) {
      marker = key(r.getMarker().getStore(), r.getMarker().getKey());
      ttl = r.getMarker().getTtlMillis();
    }
    String writer =
        r.getWriter() == null
            ? null
            : r.getWriter().getApplication() + "@" + r.getWriter().getHost();
    return new Evidence.IntentSeen(
        at,
        new Stamp(r.getVersion(), Bytes.copyOf(r.getToken())),
        writes,
        marker,
        ttl,
        writer,
        partition,
        offset);
  }

  private static Evidence done(Done r, long at) {
    Map<StoreKey, Result> results = new LinkedHashMap<>();
    for (WriteResult w : r.getResults()) {
      results.put(key(w.getStore(), w.getKey()), Result.valueOf(w.getResult().name()));
    }
    return new Evidence.DoneSeen(
        at,
        new Stamp(r.getVersion(), Bytes.copyOf(r.getToken())),
        results,
        r.getMarker() == null ? null : Result.valueOf(r.getMarker().name()));
  }

  private static Evidence.OutcomeKind outcome(RepairOutcome r) {
    return switch (r.getOutcome()) {
      case APPLIED -> Evidence.OutcomeKind.APPLIED;
      case ALREADY -> Evidence.OutcomeKind.ALREADY;
      case SUPERSEDED -> Evidence.OutcomeKind.SUPERSEDED;
      case CONFLICT -> Evidence.OutcomeKind.CONFLICT;
      case REFUSED ->
          r.getHold() == null ? Evidence.OutcomeKind.REFUSED : Evidence.OutcomeKind.HELD;
      case FAILED -> Evidence.OutcomeKind.FAILED;
      case UNKNOWN ->
          throw new IllegalArgumentException("an outcome that this version does not know");
    };
  }

  /** What the judge reads of a key. */
  public static Reading reading(dev.restitch.avro.Reading r) {
    Reading.State state = Reading.State.valueOf(r.getState().name());
    List<Bytes> tokens = null;
    if (r.getTokens() != null) {
      tokens = r.getTokens().stream().map(Bytes::copyOf).toList();
    }
    Stamp stamp = null;
    if (r.getState() == KeyState.STAMPED && tokens == null) {
      ByteBuffer token = r.getToken();
      stamp = new Stamp(r.getVersion(), token == null ? Bytes.EMPTY : Bytes.copyOf(token));
    }
    return new Reading(
        key(r.getStore(), r.getKey()),
        state,
        stamp,
        tokens,
        r.getExpiresAtMillis(),
        r.getPrimary(),
        r.getLength(),
        digest(r.getDigest()),
        null);
  }

  private static StoreKey key(String store, ByteBuffer key) {
    return new StoreKey(store, Bytes.copyOf(key));
  }

  /** Digests are compared and shown in hex. */
  private static Bytes digest(ByteBuffer digest) {
    return digest == null
        ? null
        : Bytes.utf8(HexFormat.of().formatHex(Bytes.copyOf(digest).toArray()));
  }
}
