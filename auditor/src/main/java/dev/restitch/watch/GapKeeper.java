package dev.restitch.watch;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Knows up to when a node is covered, and the interval in which it may not have been. Times are
 * epoch milliseconds of the watcher's clock. Thread-safe.
 */
final class GapKeeper {

  private long coveredThroughMillis;
  private boolean known;
  private boolean open;
  private long openings;
  private long openSinceMillis;
  private String why;
  private long opened;
  private long published;

  /**
   * Starts uncovered: a gap is open, from where is said by {@link #resume}. Until then nothing is
   * due.
   */
  GapKeeper(String why, long nowMillis) {
    this.open = true;
    this.openSinceMillis = nowMillis;
    this.why = why;
    this.opened = 1;
  }

  /**
   * Says up to when an earlier watch covered the node.
   *
   * @param earlierThroughMillis 0: never
   * @param cause why the gap is open, if that is known better now; null: it is not
   */
  synchronized void resume(long earlierThroughMillis, String cause) {
    if (!known) {
      known = true;
      coveredThroughMillis = earlierThroughMillis;
      why = cause == null ? why : cause;
    }
  }

  /** True once it is known what an earlier watch covered. */
  synchronized boolean known() {
    return known;
  }

  /**
   * An interval to be told.
   *
   * @param openings tells it from one that grew meanwhile
   */
  record Interval(long fromMillis, long toMillis, String why, long openings) {}

  /** Something may have been missed from the last covered moment on; an open gap grows. */
  synchronized void open(String cause, long nowMillis) {
    openings++;
    if (!open) {
      open = true;
      openSinceMillis = nowMillis;
      why = cause;
      opened++;
    }
  }

  /** The node is surely covered up to then, unless a gap is open. */
  synchronized void covered(long throughMillis) {
    if (!open) {
      coveredThroughMillis = Math.max(coveredThroughMillis, throughMillis);
    }
  }

  /** The open interval, to be told now; empty if there is none. */
  synchronized Optional<Interval> due(long nowMillis) {
    if (!open || !known) {
      return Optional.empty();
    }
    // the earlier watch may have been another process, with another clock
    long from = Math.min(coveredThroughMillis, nowMillis);
    return Optional.of(new Interval(from, nowMillis, why, openings));
  }

  /** Every partition has it: the gap is closed, unless something more was missed meanwhile. */
  synchronized void told(Interval interval) {
    published++;
    if (openings == interval.openings()) {
      open = false;
    } else {
      opened++;
    }
  }

  /** Since when a gap waits to be told; empty: none does. */
  synchronized OptionalLong openSinceMillis() {
    return open ? OptionalLong.of(openSinceMillis) : OptionalLong.empty();
  }

  synchronized boolean isOpen() {
    return open;
  }

  synchronized long coveredThroughMillis() {
    return coveredThroughMillis;
  }

  synchronized long opened() {
    return opened;
  }

  synchronized long published() {
    return published;
  }
}
