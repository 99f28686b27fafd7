package dev.restitch.sweep;

import dev.restitch.avro.Gap;
import dev.restitch.avro.Snapshot;
import dev.restitch.avro.Sweep;
import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import dev.restitch.watch.TestProducer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** A sweeper over real stores whose topics are a list, and gaps are told by the test. */
final class SweepRig implements AutoCloseable {

  /** Gap sweeps only, as fast as it goes. */
  static final String GAPS_ONLY = "{ rate: 0, gap-rate: 1000000, latency: 10s }";

  private static final String RELATIONS =
      """
      relations:
        user:
          sides:
            profile:  { store: east, key: "user:{id}:profile" }
            settings: { store: west, key: "user:{id}:settings" }
          stamp: "{version}:{token}:{payload}"
          version: { order: counter }
          settle: 300ms
        trio:
          sides:
            one:   { store: west, key: "trio:{id}:1" }
            two:   { store: east, key: "trio:{id}:2" }
            three: { store: east, key: "trio:{id}:3", type: hash, fields: { version: v, token: t } }
          stamp: "{version}:{token}:{payload}"
          version: { order: counter }
          settle: 300ms
        some:
          sides:
            left:  { store: east, key: "some:{id}:left" }
            right: { store: west, key: "some:{id}:right" }
          writes: some
          stamp: "{version}:{token}:{payload}"
          version: { order: counter }
          settle: 300ms
        log:
          sides:
            left:  { store: east, key: "log:{id}:left", type: list }
            right: { store: west, key: "log:{id}:right", type: zset }
          stamp: "{token}:{payload}"
          settle: 300ms
        loose:
          sides: { only: { store: east, key: "loose:{id}" } }
          writes: some
          stamp: "{version}:{token}:{payload}"
          version: { order: counter }
      """;

  final RestitchConfig config;
  final Map<String, StoreClient> stores;
  final TestProducer producer = new TestProducer();
  final SweepBook book;
  private final AtomicLong offsets;
  private final Predicate<String> owns;
  private Sweeper sweeper;

  SweepRig(String east, String west, String sweep) {
    this(east, west, sweep, new SweepBook(), new AtomicLong(), name -> true);
  }

  SweepRig(
      String east,
      String west,
      String sweep,
      SweepBook book,
      AtomicLong offsets,
      Predicate<String> owns) {
    this.config = config(east, west, sweep);
    this.stores = StoreClients.openAll(config, "test");
    this.book = book;
    this.offsets = offsets;
    this.owns = owns;
  }

  static RestitchConfig config(String east, String west, String sweep) {
    return ConfigLoader.parse(
        "kafka: { bootstrap.servers: \"localhost:1\" }\n"
            + "registry: { url: \"http://localhost:1\" }\n"
            + ("stores:\n  east: " + east + "\n  west: " + west + "\n")
            + ("sweep: " + sweep + "\n")
            + RELATIONS,
        Map.of());
  }

  Sweeper start() {
    return start("test");
  }

  Sweeper start(String owner) {
    sweeper =
        new Sweeper(
            config,
            stores,
            producer.mock(),
            owner,
            owns,
            book,
            () -> CompletableFuture.completedFuture(null));
    sweeper.start();
    return sweeper;
  }

  Sweeper sweeper() {
    return sweeper;
  }

  /** Tells a gap of every primary. */
  void gapEverywhere() {
    stores.forEach((name, store) -> store.primaries().forEach(node -> gap(name, node.id())));
  }

  /** Tells a gap of one node. */
  long gap(String store, String node) {
    Gap gap = new Gap(UUID.randomUUID().toString(), store, node, 0L, 1L, "test");
    long offset = offsets.getAndIncrement();
    book.gap(gap, offset, System.currentTimeMillis());
    return offset;
  }

  /** True if no gap is open. */
  boolean swept() {
    return stores.keySet().stream()
        .allMatch(
            store ->
                stores.get(store).primaries().stream()
                        .allMatch(node -> book.open(store + "/" + node.id()).isEmpty())
                    && book.openElsewhere(store, names(store)).isEmpty());
  }

  List<String> names(String store) {
    return stores.get(store).primaries().stream().map(node -> store + "/" + node.id()).toList();
  }

  List<Snapshot> snapshots() {
    return producer.values("restitch-snapshots", Snapshot.class);
  }

  /** The instances published, in order. */
  List<String> published() {
    return snapshots().stream().map(Snapshot::getInstance).toList();
  }

  /** The instances published; two nodes that are swept at once may both publish one. */
  Set<String> suspects() {
    return new TreeSet<>(published());
  }

  List<Sweep> marks() {
    return producer.values("restitch-sweeps", Sweep.class);
  }

  @Override
  public void close() {
    if (sweeper != null) {
      sweeper.close();
    }
    stores.values().forEach(StoreClient::close);
  }
}
