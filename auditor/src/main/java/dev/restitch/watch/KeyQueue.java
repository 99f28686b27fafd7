package dev.restitch.watch;

import dev.restitch.config.Relations.Side;
import dev.restitch.model.Bytes;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The keys of one node that changed and are still to be read. A key is read by one reader at a time
 * and again if it changed meanwhile, so that its observations keep their order. Bounded. Knows
 * neither store nor broker; thread-safe, never blocks.
 */
final class KeyQueue {

  private static final Set<String> LOSSES =
      Set.of("del", "expired", "evicted", "rename_from", "move_from");

  private final int limit;
  private final int readsAtOnce;
  private final Map<Bytes, Entry> byKey = new HashMap<>();
  private final ArrayDeque<Entry> waiting = new ArrayDeque<>();
  private final Generations generations = new Generations();
  private int reading;
  private long received;
  private long published;
  private long coalesced;
  private long filtered;
  private long failed;
  private long pending;

  /**
   * An empty queue.
   *
   * @param limit notifications that may be unsettled at once
   * @param readsAtOnce keys that may be read at once
   */
  KeyQueue(int limit, int readsAtOnce) {
    this.limit = limit;
    this.readsAtOnce = readsAtOnce;
  }

  /** What to do after a notification. */
  enum Receipt {
    /** Ask {@link #next} for keys to read. */
    QUEUED,
    /** The key waits in line or is being read: it will be read after this change. */
    JOINED,
    /** Too many are unsettled: this one is lost. */
    DROPPED
  }

  /**
   * Why a key was read.
   *
   * @param event the last notification that the reading reflects
   * @param loss the last of them that takes a key away; null: none did
   * @param generation to be handed back when it is settled
   */
  record Cause(String event, String loss, long generation) {

    Cause followedBy(String newer) {
      return new Cause(newer, LOSSES.contains(newer) ? newer : loss, generation);
    }
  }

  /**
   * {@code cause} belongs to the reading that is due or under way, {@code next} to the one after.
   */
  private static final class Entry {
    final Side side;
    Cause cause;
    Cause next;
    boolean reading;

    Entry(Side side, Cause cause) {
      this.side = side;
      this.cause = cause;
    }
  }

  /** A key of no side was named. */
  synchronized void filter() {
    received++;
    filtered++;
  }

  /** A side changed. */
  synchronized Receipt receive(Side side, String event) {
    received++;
    Entry entry = byKey.get(side.key().key());
    if (entry != null && !entry.reading) {
      entry.cause = entry.cause.followedBy(event);
      coalesced++;
      return Receipt.JOINED;
    }
    if (entry != null && entry.next != null) {
      entry.next = entry.next.followedBy(event);
      coalesced++;
      return Receipt.JOINED;
    }
    if (pending >= limit) {
      failed++;
      return Receipt.DROPPED;
    }
    pending++;
    Cause cause = new Cause(null, null, generations.enter()).followedBy(event);
    if (entry != null) {
      entry.next = cause;
      return Receipt.JOINED;
    }
    Entry fresh = new Entry(side, cause);
    byKey.put(side.key().key(), fresh);
    waiting.add(fresh);
    return Receipt.QUEUED;
  }

  /** The next side to read; empty if none waits, or as many are being read as may be at once. */
  synchronized Optional<Side> next() {
    if (reading >= readsAtOnce || waiting.isEmpty()) {
      return Optional.empty();
    }
    Entry entry = waiting.remove();
    entry.reading = true;
    reading++;
    return Optional.of(entry.side);
  }

  /** What the reading under way speaks for. */
  synchronized Cause cause(Side side) {
    return byKey.get(side.key().key()).cause;
  }

  /**
   * The reading is over and its observation handed on, or it was given up. If the side changed
   * meanwhile it waits in line again.
   */
  synchronized void finish(Side side) {
    Entry entry = byKey.get(side.key().key());
    reading--;
    if (entry.next == null) {
      byKey.remove(side.key().key());
    } else {
      entry.cause = entry.next;
      entry.next = null;
      entry.reading = false;
      waiting.add(entry);
    }
  }

  /** The brokers have the observation. */
  synchronized void published(Cause cause) {
    published++;
    settle(cause);
  }

  /** There is no observation of it. */
  synchronized void failed(Cause cause) {
    failed++;
    settle(cause);
  }

  private void settle(Cause cause) {
    pending--;
    generations.leave(cause.generation());
  }

  /** Ends a generation of notifications; returns it. */
  synchronized long cut() {
    return generations.cut();
  }

  /** True if every notification up to that cut is settled. */
  synchronized boolean settledThrough(long generation) {
    return generations.settledThrough(generation);
  }

  /** True while more than half of what may be unsettled is. */
  synchronized boolean crowded() {
    return pending > limit / 2;
  }

  /** The counts; those of gaps are zero. */
  synchronized WatcherCounters counters() {
    return new WatcherCounters(received, published, coalesced, filtered, failed, pending, 0, 0);
  }
}
