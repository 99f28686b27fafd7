package dev.restitch.sandbox.bench;

import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import dev.restitch.model.Bytes;
import dev.restitch.sandbox.server.RedisProcess;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import dev.restitch.sweep.Fate;
import dev.restitch.sweep.SweepCounters;
import dev.restitch.sweep.SweepOnce;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/**
 * The sweep's rate as a ratio to a bare pipelined {@code SCAN} and {@code GETRANGE} of the same
 * keys, in turns on one server. At the end tears are made, and one more sweep must find exactly
 * them. The size is instances of two sides.
 */
final class SweepSuite implements Suite {

  private static final long OWN_SIZE = 150_000;
  private static final int WARM_UP = 2;
  private static final int PAYLOAD = 100;
  private static final int STAMP_LIMIT = 512;
  private static final int TORN = 20;
  private static final int BATCH = 1_000;
  private static final int UNBOUNDED = 10_000_000;

  @Override
  public String name() {
    return "sweep";
  }

  @Override
  public String title() {
    return "keys a second through a sweep, beside a bare SCAN and GETRANGE of the same keys";
  }

  @Override
  public List<Figure> run(BenchRun run) throws IOException, InterruptedException {
    RedisProcess server = BenchServer.start(run);
    RestitchConfig config = config(server.uri());
    Map<String, StoreClient> stores = StoreClients.openAll(config, "bench");
    try (BareScan peer = new BareScan(server.uri());
        CpuMeter cpu = new CpuMeter(server.uri())) {
      int instances = (int) Math.max(run.sizeOr(OWN_SIZE), TORN);
      return new Turns(server.uri(), config, stores, peer, cpu, instances).run(run);
    } catch (ExecutionException e) {
      throw new IOException("the server did not answer: " + e.getCause(), e);
    } finally {
      stores.values().forEach(StoreClient::close);
    }
  }

  private static RestitchConfig config(String uri) {
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
            .formatted(uri, STAMP_LIMIT),
        Map.of());
  }

  /** The contenders' turns on one server. */
  private record Turns(
      String uri,
      RestitchConfig config,
      Map<String, StoreClient> stores,
      BareScan peer,
      CpuMeter cpu,
      int instances) {

    List<Figure> run(BenchRun run) throws IOException, InterruptedException, ExecutionException {
      write("7", instances, true);
      double[] bare = new double[run.rounds()];
      double[] sweep = new double[run.rounds()];
      double[] ratio = new double[run.rounds()];
      double[] bareMicros = new double[run.rounds()];
      double[] sweepMicros = new double[run.rounds()];
      for (int round = -WARM_UP; round < run.rounds(); round++) {
        CpuMeter.Cost alone = cost(() -> peer.run(STAMP_LIMIT));
        CpuMeter.Cost ours = cost(() -> whole(sweep(ConcurrentHashMap.newKeySet())));
        if (round >= 0) {
          bare[round] = alone.rate();
          sweep[round] = ours.rate();
          ratio[round] = ours.rate() / alone.rate();
          bareMicros[round] = alone.serverMicros();
          sweepMicros[round] = ours.serverMicros();
          run.progress()
              .accept(
                  "round %d: sweep %,.0f keys/s, bare scan %,.0f keys/s"
                      .formatted(round + 1, ours.rate(), alone.rate()));
        }
      }
      findTears();
      return List.of(
          Figure.of("sweep", "keys/s", sweep),
          Figure.of("bare SCAN + GETRANGE", "keys/s", bare),
          Figure.of("sweep / bare", "ratio", ratio),
          Figure.of("server CPU, bare", "us/key", bareMicros),
          Figure.of("server CPU, sweep", "us/key", sweepMicros));
    }

    /** Goes through keys, and says how many there were. */
    private interface Turn {
      long keys() throws InterruptedException, ExecutionException;
    }

    private CpuMeter.Cost cost(Turn turn)
        throws IOException, InterruptedException, ExecutionException {
      return cpu.of(
          2L * instances,
          () -> {
            long keys = turn.keys();
            if (keys != 2L * instances) {
              throw new WrongAnswerException(
                  "sweep: " + keys + " keys instead of " + 2L * instances);
            }
          });
    }

    private long whole(SweepCounters counted) {
      // what was forgotten meanwhile is compared twice
      if (counted.of(Fate.WHOLE) < instances || counted.compared() != counted.of(Fate.WHOLE)) {
        throw new WrongAnswerException("sweep: not all instances were found whole: " + counted);
      }
      return counted.scanned();
    }

    private SweepCounters sweep(Set<String> found) throws InterruptedException {
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
        throw new WrongAnswerException("sweep: not swept: " + sweep.unread());
      }
      return sweep.counters();
    }

    private void findTears() throws InterruptedException, ExecutionException {
      write("8", TORN, false);
      Set<String> torn = new HashSet<>();
      for (int i = 0; i < TORN; i++) {
        torn.add("user/" + i);
      }
      Set<String> found = ConcurrentHashMap.newKeySet();
      sweep(found);
      if (!found.equals(torn)) {
        throw new WrongAnswerException("sweep: found " + found + ", torn are " + torn);
      }
    }

    private void write(String version, int to, boolean both)
        throws InterruptedException, ExecutionException {
      RedisClient client = RedisClient.create(uri);
      try (StatefulRedisConnection<String, String> connection = client.connect()) {
        connection.setAutoFlushCommands(false);
        List<RedisFuture<String>> sent = new ArrayList<>();
        for (int i = 0; i < to; i++) {
          String value = version + ":t" + i + ":" + "x".repeat(PAYLOAD);
          sent.add(connection.async().set("user:" + i + ":profile", value));
          if (both) {
            sent.add(connection.async().set("user:" + i + ":settings", value));
          }
          if (sent.size() >= BATCH || i == to - 1) {
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
  }
}
