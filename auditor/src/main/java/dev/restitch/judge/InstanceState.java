package dev.restitch.judge;

import dev.restitch.config.RelationConfig;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All that the judge remembers of one instance. No payloads. Mutable: {@link Judge#judge} takes it
 * over and changes it; not thread-safe. {@link StateCodec} makes bytes of it.
 */
public final class InstanceState {

  static final int TOMBSTONES = 16;

  final RelationConfig relation;
  final String instance;

  /** Keys of this instance, in side order. */
  final List<StoreKey> ownKeys;

  /** Own and other instances' keys. */
  final Map<StoreKey, KeyMemory> keys = new LinkedHashMap<>();

  final Map<Stamp, Transaction> transactions = new LinkedHashMap<>();

  /** Hashes of transactions forgotten lately, so that a late duplicate is not taken for new. */
  final List<Integer> tombstones = new ArrayList<>(TOMBSTONES);

  /**
   * When versions of forgotten transactions were first seen, ascending; a few a settle time are
   * enough to tell an order that goes back.
   */
  final List<SeenVersion> buriedVersions = new ArrayList<>(2);

  long lastEvidenceAt = -1;

  /** A probe wanted at this time whatever else; -1: none. */
  long probeAt = -1;

  String probeReason;

  /** Time of the last ask that was judged; it settled what was suspected until then. */
  long judgedThrough = -1;

  /** A declaration that waited for another transaction's deadline waits no longer than this. */
  long waitLimit = -1;

  // the ask that is out, if any
  long seq;
  long askedAt = -1;
  long firstAskedAt = -1;
  int askAttempt;

  /** When the ask is repeated; -1: no ask is out. */
  long askAgainAt = -1;

  /** The order of versions is not trusted until then. */
  long untrustedUntil = -1;

  Incident incident;

  /** Next look at an open incident; -1: none. */
  long revisitAt = -1;

  long generationsSince = -1;
  int generationsCounted;
  int generation;

  /** Suspicions are computed anew after evidence, and after a judgement; -1: none is due. */
  long wakeAt = -1;

  /** A stamp, and when it was first seen. */
  record SeenVersion(Stamp stamp, long at) {}

  InstanceState(RelationConfig relation, String instance) {
    this.relation = relation;
    this.instance = instance;
    this.ownKeys = List.copyOf(relation.keysOf(instance));
  }

  public String instance() {
    return instance;
  }

  /** When {@link Judge#judge} wants to be called with the time, epoch milliseconds; -1: never. */
  public long wakeAt() {
    return wakeAt;
  }

  /** True if nothing is remembered any more and the state can be dropped. */
  public boolean forgotten() {
    return keys.isEmpty() && transactions.isEmpty() && incident == null;
  }

  /** True if a key of this store was seen, or is expected by a transaction. */
  public boolean remembers(String store) {
    return ownKeys.stream().anyMatch(k -> k.store().equals(store))
        || keys.keySet().stream().anyMatch(k -> k.store().equals(store));
  }

  /** True if an incident is open. */
  public boolean hasIncident() {
    return incident != null;
  }

  /** The open incident; null: none. A copy. */
  public Incident openIncident() {
    return incident == null ? null : incident.copy();
  }

  /** What a key was last seen to be, with its recorded time; absent if it was never seen. */
  public Reading lastReading(StoreKey key) {
    KeyMemory m = keys.get(key);
    return m == null || m.state == Reading.State.UNKNOWN
        ? Reading.of(key, Reading.State.ABSENT)
        : m.reading();
  }

  KeyMemory memory(StoreKey key) {
    return keys.computeIfAbsent(key, KeyMemory::new);
  }

  /** True if the key is a side of this very instance. */
  public boolean owns(StoreKey key) {
    return ownKeys.contains(key);
  }

  Transaction transaction(Stamp stamp) {
    return transactions.computeIfAbsent(stamp, Transaction::new);
  }

  boolean buried(Stamp stamp) {
    return tombstones.contains(stamp.hashCode());
  }

  void bury(Transaction t) {
    transactions.remove(t.stamp);
    bury(t.stamp);
    if (t.firstStampAt >= 0 && t.stamp.version() != null) {
      noteBuried(new SeenVersion(t.stamp, t.firstStampAt));
    }
  }

  /** Of what is older than a settle time the highest is kept; of the rest one each quarter. */
  private void noteBuried(SeenVersion seen) {
    int last = buriedVersions.size() - 1;
    if (last >= 0) {
      SeenVersion before = buriedVersions.get(last);
      boolean higher = seen.stamp().version() > before.stamp().version();
      if (!higher || seen.at() < before.at() + settle() / 4) {
        return;
      }
    }
    buriedVersions.add(seen);
    while (buriedVersions.size() > 1 && buriedVersions.get(1).at() + settle() < seen.at()) {
      buriedVersions.remove(0);
    }
  }

  private void bury(Stamp stamp) {
    Integer hash = stamp.hashCode();
    if (!tombstones.contains(hash)) {
      if (tombstones.size() == TOMBSTONES) {
        tombstones.remove(0);
      }
      tombstones.add(hash);
    }
  }

  Long markerTtl() {
    return relation.marker() == null || relation.marker().ttl() == null
        ? null
        : relation.marker().ttl().toMillis();
  }

  long settle() {
    return relation.settle().toMillis();
  }

  /** How long after an expiry a sibling must have outlived it. */
  long expirySettle() {
    return Math.max(settle(), relation.ttlTolerance().toMillis());
  }
}
