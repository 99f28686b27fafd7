package dev.restitch.sandbox.eyes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes that go on while a fault strikes: each to another instance, which was whole before, now
 * and then several in a row; a share of them on one side only. Writes that are not answered are
 * given up half-way, as by an application that dies. Runs on a thread of its own.
 */
final class Load {

  /** The version that every instance begins with. */
  private static final long FIRST = 1;

  private static final int MOST_IN_A_ROW = 3;

  private final Data data;
  private final List<String> ids = new ArrayList<>();
  private final Random random;
  private final long pauseNanos;
  private final double tearShare;
  private final Map<String, Long> startedMillis = new ConcurrentHashMap<>();
  private final Set<String> torn = ConcurrentHashMap.newKeySet();
  private final Set<String> slow = ConcurrentHashMap.newKeySet();
  private final Set<String> unanswered = ConcurrentHashMap.newKeySet();
  private final Thread thread = new Thread(this::run, "chaos-load");
  private volatile boolean stopped;
  private volatile Exception failure;

  /**
   * A load that has not begun.
   *
   * @param prefix of the ids of its instances, which are its own
   * @param most writes; then it ends by itself
   */
  Load(Data data, Plan plan, String prefix, int most) {
    this.data = data;
    this.random = new Random(plan.seed() ^ prefix.hashCode());
    this.pauseNanos = TimeUnit.SECONDS.toNanos(1) / plan.rate();
    this.tearShare = plan.tearShare();
    for (int i = 0; i < most; i++) {
      ids.add(prefix + "-" + i);
    }
  }

  /** Writes all instances once, whole. */
  void prepare() throws Exception {
    data.writeAll(ids, FIRST);
  }

  void start() {
    thread.setDaemon(true);
    thread.start();
  }

  /** Ends it; returns when the last write is done. */
  void stop() throws Exception {
    stopped = true;
    thread.join();
    if (failure != null) {
      throw failure;
    }
  }

  private void run() {
    long next = System.nanoTime();
    try {
      for (String id : ids) {
        if (stopped) {
          return;
        }
        LockSupport.parkNanos(next - System.nanoTime());
        next = Math.max(next + pauseNanos, System.nanoTime() - pauseNanos);
        write(id);
      }
    } catch (InterruptedException | RuntimeException e) {
      failure = e;
    }
  }

  private void write(String id) throws InterruptedException {
    long began = System.currentTimeMillis();
    startedMillis.put(id, began);
    long last = FIRST + 1 + random.nextInt(MOST_IN_A_ROW);
    boolean tear = random.nextDouble() < tearShare;
    boolean left = !tear || random.nextBoolean();
    boolean right = !tear || !left;
    for (long version = FIRST + 1; version <= last; version++) {
      boolean half = version == last && tear;
      if (((left || !half) && !data.writeProfile(id, version))
          || ((right || !half) && !data.writeSettings(id, version))) {
        unanswered.add(id);
        return;
      }
    }
    if (tear) {
      torn.add(id);
    } else if (System.currentTimeMillis() - began > Plan.SETTLE.toMillis() / 2) {
      slow.add(id);
    }
  }

  /** Every instance of its own, whether it came to it or not. */
  List<String> ids() {
    return ids;
  }

  /** How many instances were written. */
  int writes() {
    return startedMillis.size();
  }

  /** What was torn on purpose. */
  Set<String> torn() {
    return torn;
  }

  /** What was whole in the end, but for a while perhaps longer than a write may take. */
  Set<String> slow() {
    return slow;
  }

  /** What was given up half-way. */
  Set<String> unanswered() {
    return unanswered;
  }

  /** When an instance was written; by this machine's clock, epoch milliseconds. */
  Long startedMillis(String id) {
    return startedMillis.get(id);
  }
}
