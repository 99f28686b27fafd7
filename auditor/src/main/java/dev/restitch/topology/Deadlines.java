package dev.restitch.topology;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which row of the table wants to be woken when: buckets of 64 ms. A row that puts its time off
 * costs nothing until its entry's bucket comes, when the row's present time is looked up; so an
 * instance that is written to again and again does not leave an entry each time. Kept in memory and
 * made anew from the states after a restart. Not thread-safe.
 */
final class Deadlines {

  private static final int BUCKET_BITS = 6;

  /** Entries farther away are kept apart, so that a nearer time does not make a second one. */
  private static final int FAR = 1 << 10;

  private static final int PAST_BUCKETS = 1 << 29;
  private static final long NEVER = Long.MAX_VALUE;
  private static final int NONE = -1;

  private final TreeMap<Integer, Bucket> buckets = new TreeMap<>();
  private long[] wakeAt = new long[0];

  /** The buckets of a row's entries; an entry elsewhere is void. */
  private int[] near = new int[0];

  private int[] far = new int[0];
  private long origin = Long.MIN_VALUE;
  private int present;

  private static final class Bucket {
    private int[] rows = new int[4];
    private int size;

    void add(int row) {
      if (size == rows.length) {
        rows = Arrays.copyOf(rows, size * 2);
      }
      rows[size++] = row;
    }
  }

  /** Takes a row that is due. */
  @FunctionalInterface
  interface Due {
    void row(int row);
  }

  /** Sets or replaces the time of a row, epoch milliseconds; negative: never. */
  void set(int row, long at) {
    if (row >= wakeAt.length) {
      enlarge(row);
    }
    wakeAt[row] = at < 0 ? NEVER : at;
    if (at >= 0) {
      enter(row, bucket(at));
    }
  }

  private void enlarge(int row) {
    int from = wakeAt.length;
    int length = Math.max(1024, Math.max(row + 1, from * 2));
    wakeAt = Arrays.copyOf(wakeAt, length);
    near = Arrays.copyOf(near, length);
    far = Arrays.copyOf(far, length);
    Arrays.fill(wakeAt, from, length, NEVER);
    Arrays.fill(near, from, length, NONE);
    Arrays.fill(far, from, length, NONE);
  }

  private int bucket(long at) {
    long absolute = at >> BUCKET_BITS;
    if (origin == Long.MIN_VALUE) {
      origin = absolute - PAST_BUCKETS;
    }
    return (int) Math.max(0, Math.min(absolute - origin, Integer.MAX_VALUE - 1));
  }

  private void enter(int row, int bucket) {
    boolean earlier =
        (near[row] != NONE && near[row] <= bucket) || (far[row] != NONE && far[row] <= bucket);
    if (earlier) {
      return;
    }
    if (far[row] == NONE && near[row] == NONE && bucket - present > FAR) {
      far[row] = bucket;
    } else {
      near[row] = bucket;
    }
    buckets.computeIfAbsent(bucket, b -> new Bucket()).add(row);
  }

  /**
   * Takes the rows due until now out, earliest bucket first, at most so many.
   *
   * @return how many
   */
  int due(long now, int most, Due take) {
    int last = bucket(now);
    present = Math.max(present, last);
    int taken = 0;
    int through = NONE;
    while (taken < most) {
      Map.Entry<Integer, Bucket> first = buckets.higherEntry(through);
      if (first == null || first.getKey() > last) {
        break;
      }
      through = first.getKey();
      buckets.remove(through);
      Bucket bucket = first.getValue();
      for (int i = 0; i < bucket.size; i++) {
        if (taken == most) {
          putBack(through, bucket, i);
          return taken;
        }
        taken += fire(bucket.rows[i], through, now, take) ? 1 : 0;
      }
    }
    return taken;
  }

  private boolean fire(int row, int bucket, long now, Due take) {
    if (near[row] == bucket) {
      near[row] = NONE;
    } else if (far[row] == bucket) {
      far[row] = NONE;
    } else {
      return false;
    }
    long at = wakeAt[row];
    if (at > now) {
      if (at != NEVER) {
        enter(row, bucket(at));
      }
      return false;
    }
    wakeAt[row] = NEVER;
    take.row(row);
    return true;
  }

  /** What is left of a bucket goes before what came into it meanwhile. */
  private void putBack(int number, Bucket bucket, int from) {
    Bucket fresh = buckets.computeIfAbsent(number, b -> new Bucket());
    for (int i = from; i < bucket.size; i++) {
      fresh.add(bucket.rows[i]);
    }
  }

  /** Entries held, void ones too. */
  int entries() {
    return buckets.values().stream().mapToInt(b -> b.size).sum();
  }
}
