package dev.restitch.sandbox.bench;

import com.sun.management.OperatingSystemMXBean;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.ExecutionException;

/** Measures what some work costs a server ({@code INFO cpu}) and this process. Not thread-safe. */
final class CpuMeter implements AutoCloseable {

  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;

  CpuMeter(String uri) {
    client = RedisClient.create(uri);
    connection = client.connect();
  }

  /** Pieces of work a second, and CPU microseconds a piece. */
  record Cost(double rate, double serverMicros, double clientMicros) {}

  /** Something that can be measured. */
  interface Work {
    void run() throws IOException, InterruptedException, ExecutionException;
  }

  /** Does the work, which has so many pieces. */
  Cost of(long pieces, Work work) throws IOException, InterruptedException, ExecutionException {
    double serverBefore = serverMicros();
    long clientBefore = clientNanos();
    long began = System.nanoTime();
    work.run();
    long nanos = System.nanoTime() - began;
    return new Cost(
        pieces * 1e9 / nanos,
        (serverMicros() - serverBefore) / pieces,
        (clientNanos() - clientBefore) / 1e3 / pieces);
  }

  private double serverMicros() {
    return connection
        .sync()
        .info("cpu")
        .lines()
        .filter(l -> l.startsWith("used_cpu_sys:") || l.startsWith("used_cpu_user:"))
        .mapToDouble(l -> Double.parseDouble(l.substring(l.indexOf(':') + 1).trim()) * 1e6)
        .sum();
  }

  private static long clientNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
