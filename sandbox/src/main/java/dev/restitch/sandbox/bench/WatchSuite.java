package dev.restitch.sandbox.bench;

import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import dev.restitch.sandbox.server.RedisProcess;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import dev.restitch.watch.Watcher;
import dev.restitch.watch.WatcherCounters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The watcher's highest sustained rate as a ratio to a bare subscriber that does the same reads
 * with the same client, and what either costs the server's CPU. Both are fed by the same writer,
 * which runs ahead of them by a window, in turns on one server; first in each round the writer runs
 * alone. The watcher's records are serialized and then dropped: what brokers cost is no part of
 * this. The size is writes a round.
 */
final class WatchSuite implements Suite {

  private static final long OWN_SIZE = 200_000;
  private static final int KEYS = 50_000;
  private static final int WINDOW = 10_000;
  private static final int PAYLOAD = 100;
  private static final int STAMP_LIMIT = 512;

  @Override
  public String name() {
    return "watch";
  }

  @Override
  public String title() {
    return "events a second through the watcher, beside a bare subscriber with the same reads";
  }

  @Override
  public List<Figure> run(BenchRun run) throws IOException, InterruptedException {
    RedisProcess server = BenchServer.start(run);
    int chunks = (int) ((run.sizeOr(OWN_SIZE) + SetFlood.CHUNK - 1) / SetFlood.CHUNK);
    try (SetFlood flood = new SetFlood(server.port(), KEYS, PAYLOAD);
        CpuMeter cpu = new CpuMeter(server.uri())) {
      flood.write(KEYS, KEYS, () -> 0);
      return new Turns(server.uri(), flood, cpu, chunks * SetFlood.CHUNK).run(run);
    } catch (ExecutionException e) {
      throw new IOException("the server did not answer: " + e.getCause(), e);
    }
  }

  /** What one round measured. */
  private record Round(CpuMeter.Cost alone, CpuMeter.Cost bare, CpuMeter.Cost watcher) {}

  /** The contenders' turns on one server. */
  private record Turns(String uri, SetFlood flood, CpuMeter cpu, int writes) {

    List<Figure> run(BenchRun run) throws IOException, InterruptedException, ExecutionException {
      List<Round> rounds = new ArrayList<>();
      turn(); // warms up
      for (int i = 1; i <= run.rounds(); i++) {
        Round round = turn();
        rounds.add(round);
        run.progress()
            .accept(
                "round %d: watcher %,.0f events/s, bare subscriber %,.0f events/s"
                    .formatted(i, round.watcher().rate(), round.bare().rate()));
      }
      return List.of(
          figure("watcher", "events/s", rounds, r -> r.watcher().rate()),
          figure("bare subscriber", "events/s", rounds, r -> r.bare().rate()),
          figure("watcher / bare", "ratio", rounds, r -> r.watcher().rate() / r.bare().rate()),
          figure("server CPU, writes alone", "us/write", rounds, r -> r.alone().serverMicros()),
          figure("server CPU, bare", "us/event", rounds, r -> r.bare().serverMicros()),
          figure("server CPU, watcher", "us/event", rounds, r -> r.watcher().serverMicros()),
          figure(
              "server CPU, watcher / bare, less writes",
              "ratio",
              rounds,
              r ->
                  (r.watcher().serverMicros() - r.alone().serverMicros())
                      / (r.bare().serverMicros() - r.alone().serverMicros())),
          figure("client CPU, bare", "us/event", rounds, r -> r.bare().clientMicros()),
          figure("client CPU, watcher", "us/event", rounds, r -> r.watcher().clientMicros()));
    }

    private static Figure figure(
        String name, String unit, List<Round> rounds, Function<Round, Double> of) {
      return Figure.of(name, unit, rounds.stream().mapToDouble(round -> of.apply(round)).toArray());
    }

    private Round turn() throws IOException, InterruptedException, ExecutionException {
      CpuMeter.Cost alone = measure(() -> writes);
      CpuMeter.Cost bare;
      try (BareSubscriber peer = new BareSubscriber(uri, STAMP_LIMIT)) {
        bare = measure(peer::done);
      }
      return new Round(alone, bare, watcher());
    }

    private CpuMeter.Cost watcher() throws IOException, InterruptedException, ExecutionException {
      RestitchConfig config = config(uri);
      Map<String, StoreClient> stores = StoreClients.openAll(config, "bench");
      try (Watcher watcher =
          new Watcher(config, stores, new DiscardingProducer().producer(), "bench")) {
        watcher.start();
        while (!watcher.subscribed()) {
          LockSupport.parkNanos(1_000_000);
        }
        CpuMeter.Cost cost = measure(() -> settled(watcher.counters()));
        WatcherCounters counted = watcher.counters();
        if (counted.published() != writes || !counted.balanced()) {
          throw new WrongAnswerException(
              "watch: " + writes + " single events were written, and told were " + counted);
        }
        return cost;
      } finally {
        stores.values().forEach(StoreClient::close);
      }
    }

    private CpuMeter.Cost measure(LongSupplier done)
        throws IOException, InterruptedException, ExecutionException {
      return cpu.of(
          writes,
          () -> {
            flood.write(writes, WINDOW, done);
            while (done.getAsLong() < writes) {
              LockSupport.parkNanos(100_000);
            }
          });
    }
  }

  private static long settled(WatcherCounters counted) {
    return counted.published() + counted.coalesced() + counted.failed();
  }

  private static RestitchConfig config(String uri) {
    return ConfigLoader.parse(
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
            .formatted(uri, STAMP_LIMIT),
        Map.of());
  }
}
