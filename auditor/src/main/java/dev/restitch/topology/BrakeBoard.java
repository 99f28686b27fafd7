package dev.restitch.topology;

import dev.restitch.topology.BrakeWindow.Lane;
import dev.restitch.topology.BrakeWindow.Share;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many instances the tasks of this auditor have judged, and found torn, within the last minute:
 * the tasks write, the brake reads. Thread-safe.
 */
public final class BrakeBoard {

  private final Map<String, Map<Lane, Share>> tasks = new ConcurrentHashMap<>();

  /** Called with one relation's share on one store. */
  @FunctionalInterface
  public interface Reader {

    /** Distinct instances judged, and those of them declared torn. */
    void share(String relation, String store, long judged, long torn);
  }

  void show(String task, Map<Lane, Share> shares) {
    tasks.put(task, Map.copyOf(shares));
  }

  void remove(String task) {
    tasks.remove(task);
  }

  /** Calls back with the sums over all tasks. */
  public void read(Reader reader) {
    Map<Lane, Share> sums = new HashMap<>();
    tasks.values().forEach(task -> task.forEach((lane, s) -> sums.merge(lane, s, Share::plus)));
    sums.forEach((lane, s) -> reader.share(lane.relation(), lane.store(), s.judged(), s.torn()));
  }
}
