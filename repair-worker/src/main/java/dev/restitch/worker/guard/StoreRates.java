package dev.restitch.worker.guard;

import dev.restitch.config.RelationConfig;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** Repairs a second that each relation allows itself on each store. Thread-safe; never blocks. */
public final class StoreRates {

  private record Lane(String relation, String store) {}

  private final Map<Lane, Pace> paces = new ConcurrentHashMap<>();
  private final LongSupplier nanoClock;

  /**
   * Nothing has been repaired yet.
   *
   * @param nanoClock as {@link System#nanoTime}
   */
  public StoreRates(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Takes one turn on each store and says how long to wait until all have come. */
  public Duration take(RelationConfig relation, Collection<String> stores) {
    long wait = 0;
    for (String store : stores) {
      Pace pace =
          paces.computeIfAbsent(
              new Lane(relation.name(), store), lane -> new Pace(relation.rate(), nanoClock));
      wait = Math.max(wait, pace.take());
    }
    return Duration.ofNanos(wait);
  }
}
