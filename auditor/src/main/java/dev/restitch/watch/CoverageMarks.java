package dev.restitch.watch;

import java.util.ArrayDeque;

/**
 * Moments up to which everything was received, each with the generation of notifications that must
 * be settled before it counts. Thread-safe.
 */
final class CoverageMarks {

  private static final int MOST = 64;

  private record Mark(long generation, long atMillis) {}

  private final KeyQueue queue;
  private final ArrayDeque<Mark> marks = new ArrayDeque<>();

  CoverageMarks(KeyQueue queue) {
    this.queue = queue;
  }

  /** Everything up to this moment has been received; call it where notifications are received. */
  synchronized void receivedThrough(long atMillis) {
    if (marks.size() < MOST) {
      marks.add(new Mark(queue.cut(), atMillis));
    }
  }

  /** The latest moment up to which everything is settled too; -1: none since the last call. */
  synchronized long settledThrough() {
    long at = -1;
    while (!marks.isEmpty() && queue.settledThrough(marks.peek().generation())) {
      at = marks.remove().atMillis();
    }
    return at;
  }

  /** A subscription was lost: what was received before it does not cover what came after. */
  synchronized void forget() {
    marks.clear();
  }
}
