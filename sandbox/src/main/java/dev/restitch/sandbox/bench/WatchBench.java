package dev.restitch.sandbox.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import dev.restitch.sandbox.server.RedisProcess;
import dev.restitch.sandbox.server.Scratch;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import dev.restitch.watch.Watcher;
import dev.restitch.watch.WatcherCounters;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * The watcher's highest sustained rate as a ratio to a bare subscriber that does the same reads
 * with the same client, and what either costs the server's CPU. Both are fed by the same writer,
 * which runs ahead of them by a window, in turns on one server. The watcher's records are
 * serialized and then dropped: what brokers cost is no part of this.
 *
 * <p>Arguments, all optional: writes a round (default 200000), rounds (default 5).
 */
public final class WatchBench {

  private static final int KEYS = 50_000;
  private static final int WINDOW = 10_000;
  private static final int PAYLOAD = 100;
  private static final int STAMP_LIMIT = 512;

  private final RedisProcess server;
  private final SetFlood flood;
  private final StatefulRedisConnection<String, String> info;
  private final int writes;
  private final Map<String, List<Round>> rounds = new LinkedHashMap<>();

  private WatchBench(
      RedisProcess server,
      SetFlood flood,
      StatefulRedisConnection<String, String> info,
      int writes) {
    this.server = server;
    this.flood = flood;
    this.info = info;
    this.writes = writes;
  }

  /** One contender's turn: events a second, and CPU microseconds an event. */
  private record Round(double rate, double serverMicros, double clientMicros) {}

  public static void main(String[] args) throws Exception {
    int writes = args.length > 0 ? Integer.parseInt(args[0]) : 200_000;
    int turns = args.length > 1 ? Integer.parseInt(args[1]) : 5;
    try (Scratch scratch = Scratch.create("restitch-watch-bench-");
        RedisProcess server = RedisProcess.start(scratch);
        SetFlood flood = new SetFlood(server.port(), KEYS, PAYLOAD)) {
      RedisClient client = RedisClient.create(server.uri());
      try {
        new WatchBench(server, flood, client.connect(), writes).run(turns);
      } finally {
        client.shutdown();
      }
    }
  }

  private void run(int turns) throws Exception {
    flood.write(KEYS, KEYS, () -> 0);
    turn(false);
    for (int i = 0; i < turns; i++) {
      turn(true);
    }
    rounds.forEach(
        (name, all) ->
            System.out.printf(
                "%-10s %9.0f events/s   server CPU %5.2f us/event   client CPU %5.2f us/event%n",
                name,
                median(all.stream().map(Round::rate).toList()),
                median(all.stream().map(Round::serverMicros).toList()),
                median(all.stream().map(Round::clientMicros).toList())));
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < turns; i++) {
      ratios.add(rounds.get("watcher").get(i).rate() / rounds.get("bare").get(i).rate());
    }
    System.out.printf(
        "watcher / bare: %.2f (median of %d rounds of %d writes; least %.2f, most %.2f)%n",
        median(ratios),
        turns,
        writes,
        ratios.stream().min(Double::compare).orElseThrow(),
        ratios.stream().max(Double::compare).orElseThrow());
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  private void turn(boolean counts) throws Exception {
    measure("writes", counts, () -> writes);
    try (BareSubscriber bare = new BareSubscriber(server.uri(), STAMP_LIMIT)) {
      measure("bare", counts, bare::done);
    }
    watcher(counts);
  }

  private void watcher(boolean counts) throws Exception {
    RestitchConfig config =
        ConfigLoader.parse(
            """
            kafka: { bootstrap.servers: "localhost:1" }
            registry: { url: "http://localhost:1" }
            stores: { east: { uri: "%s" } }
            relations:
              user:
                sides: { profile: { store: east, key: "user:{id}:profile" } }
                stamp: "{version}:{token}:{payload}"
                version: { order: counter }
                writes: some
                stamp-limit: %d
            """
                .formatted(server.uri(), STAMP_LIMIT),
            Map.of());
    Map<String, StoreClient> stores = StoreClients.openAll(config, "bench");
    try (Watcher watcher =
        new Watcher(config, stores, new DiscardingProducer().producer(), "bench")) {
      watcher.start();
      while (!watcher.subscribed()) {
        LockSupport.parkNanos(1_000_000);
      }
      measure("watcher", counts, () -> settled(watcher.counters()));
      WatcherCounters counted = watcher.counters();
      if (counted.failed() > 0 || counted.coalesced() > 0 || !counted.balanced()) {
        throw new IllegalStateException("not a round of single events: " + counted);
      }
    } finally {
      stores.values().forEach(StoreClient::close);
    }
  }

  private static long settled(WatcherCounters counted) {
    return counted.published() + counted.coalesced() + counted.failed();
  }

  private void measure(String name, boolean counts, LongSupplier done) throws Exception {
    double serverBefore = serverCpuMicros();
    long clientBefore = clientCpuNanos();
    long began = System.nanoTime();
    flood.write(writes, WINDOW, done);
    while (done.getAsLong() < writes) {
      LockSupport.parkNanos(100_000);
    }
    long nanos = System.nanoTime() - began;
    double client = (clientCpuNanos() - clientBefore) / 1e3 / writes;
    double server = (serverCpuMicros() - serverBefore) / writes;
    if (counts) {
      rounds
          .computeIfAbsent(name, n -> new ArrayList<>())
          .add(new Round(writes * 1e9 / nanos, server, client));
    }
  }

  private double serverCpuMicros() {
    return info.sync()
        .info("cpu")
        .lines()
        .filter(l -> l.startsWith("used_cpu_sys:") || l.startsWith("used_cpu_user:"))
        .mapToDouble(l -> Double.parseDouble(l.substring(l.indexOf(':') + 1).trim()) * 1e6)
        .sum();
  }

  private static long clientCpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
