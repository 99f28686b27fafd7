package dev.restitch.sandbox.bench.repair;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * A client of the store that is repaired, which minds its own business: a thousand times a second a
 * {@code SET} and a {@code GET}, each timed from when it was due.
 */
final class Foreground {

  private static final int A_SECOND = 1_000;
  private static final long LONGEST_MICROS = 60_000_000;

  private final String uri;

  Foreground(String uri) {
    this.uri = uri;
  }

  /** The 99th percentile in microseconds, over so many seconds. */
  double p99(double seconds) {
    Histogram micros = new Histogram(LONGEST_MICROS, 3);
    RedisClient client = RedisClient.create(uri);
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      long start = System.nanoTime();
      long pause = TimeUnit.SECONDS.toNanos(1) / A_SECOND;
      for (int i = 0; i < seconds * A_SECOND; i++) {
        long due = start + i * pause;
        LockSupport.parkNanos(due - System.nanoTime());
        String key = "foreground:" + i % A_SECOND;
        connection.sync().set(key, "value");
        connection.sync().get(key);
        long took = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - due);
        micros.recordValue(Math.min(LONGEST_MICROS, Math.max(0, took)));
      }
    } finally {
      client.shutdown();
    }
    return micros.getValueAtPercentile(99);
  }
}
