package dev.restitch.watch;

import java.util.Optional;

/**
 * Knows up to when a node is covered, and the interval in which it may not have been. Times are
 * epoch milliseconds of the watcher's clock. Thread-safe.
 */
final class GapKeeper {

  private long coveredThroughMillis;
  private boolean open;
  private long openings;
  private String why;
  private long opened;
  private long published;

  /**
   * Starts uncovered: a gap is open from the beginning.
   *
   * @param coveredThroughMillis what an earlier watch covered; 0: nothing
   */
  GapKeeper(long coveredThroughMillis, String why) {
    this.coveredThroughMillis = coveredThroughMillis;
    this.open = true;
    this.why = why;
    this.opened = 1;
  }

  /**
   * An interval to be told.
   *
   * @param openings tells it from one that grew meanwhile
   */
  record Interval(long fromMillis, long toMillis, String why, long openings) {}

  /** Something may have been missed from the last covered moment on; an open gap grows. */
  synchronized void open(String cause) {
    openings++;
    if (!open) {
      open = true;
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
    return open
        ? Optional.of(new Interval(coveredThroughMillis, nowMillis, why, openings))
        : Optional.empty();
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
