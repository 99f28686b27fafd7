package dev.restitch.worker.guard;

import dev.restitch.model.Bytes;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Caps how often an instance is rewritten from its source of truth within an hour. A rewrite is
 * known by its token, so that trying it again costs nothing. Forgets instances that were rewritten
 * longest ago when too many are known. Thread-safe.
 */
public final class GenerationCap {

  private static final Duration WINDOW = Duration.ofHours(1);
  private static final int INSTANCES = 50_000;

  private final Clock clock;
  private final Map<String, Map<Bytes, Long>> rewrites =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Map<Bytes, Long>> eldest) {
          return size() > INSTANCES;
        }
      };

  public GenerationCap(Clock clock) {
    this.clock = clock;
  }

  /**
   * Asks for a rewrite.
   *
   * @param token the rewrite's token
   * @param cap rewrites within an hour at most
   * @return false if the instance has had its share
   */
  public synchronized boolean take(String instance, Bytes token, int cap) {
    long now = clock.millis();
    Map<Bytes, Long> mine = rewrites.computeIfAbsent(instance, i -> new LinkedHashMap<>());
    mine.values().removeIf(at -> at <= now - WINDOW.toMillis());
    if (!mine.containsKey(token) && mine.size() >= cap) {
      return false;
    }
    mine.putIfAbsent(token, now);
    return true;
  }
}
