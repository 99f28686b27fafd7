package dev.restitch.topology;

/**
 * The judge's time: the brokers' append time, which stops with the input, advanced by the wall
 * clock while the input is idle. The wall clock is corrected by the smallest distance to the
 * brokers' clocks seen of late, so that the judge is never ahead of them and no settle time is cut
 * short. Idle means that no record came between ticks that lie some time apart: where the thread
 * itself was held up, records may be waiting, and what they say must be judged by its own time.
 * Until a first record has told the distance, a longer silence is asked for, for the same reason.
 * Never goes back. Not thread-safe.
 */
final class JudgeClock {

  private static final long IDLE_MILLIS = 150;
  private static final long IDLE_FROM_START_MILLIS = 15_000;
  private static final long WINDOW_MILLIS = 600_000;
  private static final long UNKNOWN = Long.MAX_VALUE;

  private long now = -1;

  /** The first tick since the last record; -1: there was none. */
  private long silentSinceWall = -1;

  private long distance = UNKNOWN;
  private long nextDistance = UNKNOWN;
  private long windowEndsAtWall = -1;

  /** A record with this append time was taken at this wall time; both epoch milliseconds. */
  void record(long appendMillis, long wallMillis) {
    now = Math.max(now, appendMillis);
    silentSinceWall = -1;
    if (wallMillis >= windowEndsAtWall) {
      distance = nextDistance;
      nextDistance = UNKNOWN;
      windowEndsAtWall = wallMillis + WINDOW_MILLIS;
    }
    long seen = wallMillis - appendMillis;
    nextDistance = Math.min(nextDistance, seen);
    distance = Math.min(distance, seen);
  }

  /** The judge's time at this wall time. */
  long tick(long wallMillis) {
    if (silentSinceWall < 0) {
      silentSinceWall = wallMillis;
    }
    long idle = distance == UNKNOWN ? IDLE_FROM_START_MILLIS : IDLE_MILLIS;
    if (wallMillis - silentSinceWall >= idle) {
      now = Math.max(now, distance == UNKNOWN ? wallMillis : wallMillis - distance);
    }
    return now;
  }

  long now() {
    return now;
  }
}
