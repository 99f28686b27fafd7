package dev.restitch.sandbox.bench;

import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import dev.restitch.model.Bytes;
import dev.restitch.sandbox.server.RedisProcess;
import dev.restitch.sandbox.server.Scratch;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import dev.restitch.sweep.Fate;
import dev.restitch.sweep.SweepCounters;
import dev.restitch.sweep.SweepOnce;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sweep's rate as a ratio to a bare pipelined {@code SCAN} and {@code GETRANGE} of the same
 * keys, in turns on one server. At the end tears are made, and one more sweep must find exactly
 * them.
 *
 * <p>Arguments, all optional: instances of two sides (default 150000), rounds (default 5).
 */
public final class SweepBench {

  private static final int PAYLOAD = 100;
  private static final int STAMP_LIMIT = 512;
  private static final int TORN = 20;
  private static final int UNBOUNDED = 10_000_000;

  private final RedisProcess server;
  private final int instances;

  private SweepBench(RedisProcess server, int instances) {
    this.server = server;
    this.instances = instances;
  }

  public static void main(String[] args) throws Exception {
    int instances = args.length > 0 ? Integer.parseInt(args[0]) : 150_000;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
    try (Scratch scratch = Scratch.create("restitch-sweep-bench-");
        RedisProcess server = RedisProcess.start(scratch)) {
      new SweepBench(server, instances).run(rounds);
    }
  }

  private void run(int rounds) throws Exception {
    write("7", 0, instances, true);
    RestitchConfig config = config();
    Map<String, StoreClient> stores = StoreClients.openAll(config, "bench");
    List<Double> bare = new ArrayList<>();
    List<Double> sweep = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    try (BareScan peer = new BareScan(server.uri())) {
      for (int round = -2; round < rounds; round++) {
        double bareRate = rate(() -> peer.run(STAMP_LIMIT));
        double sweepRate = rate(() -> whole(sweep(config, stores, ConcurrentHashMap.newKeySet())));
        if (round >= 0) {
          bare.add(bareRate);
          sweep.add(sweepRate);
          ratios.add(sweepRate / bareRate);
        }
      }
      findTears(config, stores);
    } finally {
      stores.values().forEach(StoreClient::close);
    }
    System.out.printf("bare SCAN + GETRANGE %9.0f keys/s%n", median(bare));
    System.out.printf("sweep                %9.0f keys/s%n", median(sweep));
    System.out.printf(
        "sweep / bare: %.2f (median of %d rounds of %d keys; least %.2f, most %.2f)%n",
        median(ratios),
        rounds,
        2 * instances,
        ratios.stream().min(Double::compare).orElseThrow(),
        ratios.stream().max(Double::compare).orElseThrow());
  }

  /** Runs something that says how many keys it went through. */
  private interface Turn {
    long keys() throws Exception;
  }

  private double rate(Turn turn) throws Exception {
    long began = System.nanoTime();
    long keys = turn.keys();
    double seconds = (System.nanoTime() - began) / 1e9;
    if (keys != 2L * instances) {
      throw new WrongAnswerException(keys + " keys instead of " + 2L * instances);
    }
    return keys / seconds;
  }

  private long whole(SweepCounters counted) {
    // what was forgotten meanwhile is compared twice
    if (counted.of(Fate.WHOLE) < instances || counted.compared() != counted.of(Fate.WHOLE)) {
      throw new WrongAnswerException("not a sweep of whole instances: " + counted);
    }
    return counted.scanned();
  }

  private SweepCounters sweep(
      RestitchConfig config, Map<String, StoreClient> stores, Set<String> found)
      throws InterruptedException {
    SweepOnce sweep =
        new SweepOnce(
            config,
            stores,
            new SweepOnce.Request(null, Bytes.EMPTY, null, UNBOUNDED),
            suspect -> {
              found.add(suspect.instance());
              return CompletableFuture.completedFuture(null);
            });
    sweep.run();
    if (!sweep.unread().isEmpty()) {
      throw new WrongAnswerException("not swept: " + sweep.unread());
    }
    return sweep.counters();
  }

  private void findTears(RestitchConfig config, Map<String, StoreClient> stores) throws Exception {
    write("8", 0, TORN, false);
    Set<String> found = ConcurrentHashMap.newKeySet();
    sweep(config, stores, found);
    if (found.size() != TORN) {
      throw new WrongAnswerException(found.size() + " tears found instead of " + TORN);
    }
  }

  private RestitchConfig config() {
    return ConfigLoader.parse(
        """
        kafka: { bootstrap.servers: "localhost:1" }
        registry: { url: "http://localhost:1" }
        stores: { east: { uri: "%s" } }
        relations:
          user:
            sides:
              profile:  { store: east, key: "user:{id}:profile" }
              settings: { store: east, key: "user:{id}:settings" }
            stamp: "{version}:{token}:{payload}"
            version: { order: counter }
            stamp-limit: %d
        sweep: { latency: 1s }
        """
            .formatted(server.uri(), STAMP_LIMIT),
        Map.of());
  }

  private void write(String version, int from, int to, boolean both) throws Exception {
    RedisClient client = RedisClient.create(server.uri());
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      connection.setAutoFlushCommands(false);
      List<RedisFuture<String>> sent = new ArrayList<>();
      for (int i = from; i < to; i++) {
        String value = version + ":t" + i + ":" + "x".repeat(PAYLOAD);
        sent.add(connection.async().set("user:" + i + ":profile", value));
        if (both) {
          sent.add(connection.async().set("user:" + i + ":settings", value));
        }
        if (sent.size() >= 1_000 || i == to - 1) {
          connection.flushCommands();
          for (RedisFuture<String> one : sent) {
            one.get();
          }
          sent.clear();
        }
      }
    } finally {
      client.shutdown();
    }
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}
