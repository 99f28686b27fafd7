package dev.restitch.sweep;

import dev.restitch.avro.EvidenceSource;
import dev.restitch.avro.Snapshot;
import dev.restitch.avro.Sweep;
import dev.restitch.config.RestitchConfig;
import dev.restitch.config.SideConfig;
import dev.restitch.read.SideReader;
import dev.restitch.store.StoreClient;
import dev.restitch.topic.Topics;
import dev.restitch.watch.NodeShare;
import dev.restitch.watch.Outbox;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sweeps this auditor's share of the nodes: first what gaps may have hidden, each after the
 * subscription that ended it, then everything, again and again, at a bounded rate. Instances that
 * look suspicious twice are published as snapshots that nobody asked for, which only raise
 * suspicion.
 *
 * <p>Promised: a gap is closed only by a complete sweep that began after it, in which every
 * instance with a key on the node could be read, and whose suspicions the brokers have.
 * Thread-safe.
 */
public final class Sweeper implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
  private static final long CLOSE_MILLIS = 10_000;

  private final String snapshots;
  private final String sweeps;
  private final Outbox outbox;
  private final Clock clock = Clock.systemUTC();
  private final SweepBook book;
  private final Tally all = new Tally();
  private final List<StoreSweeper> sweepers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  /**
   * A sweeper that does nothing before {@link #start}.
   *
   * @param stores by name, those of all sides; belong to the caller
   * @param producer belongs to the caller, who closes it after the sweeper
   * @param owner name of this auditor; no other's
   * @param owns says which nodes, by {@link NodeShare#name}, are ours to sweep
   * @param book what is known of gaps and sweeps; kept by the caller
   * @param readToEnd completes when the book holds all that was told before
   */
  public Sweeper(
      RestitchConfig config,
      Map<String, StoreClient> stores,
      Producer<String, SpecificRecord> producer,
      String owner,
      Predicate<String> owns,
      SweepBook book,
      Supplier<CompletableFuture<Void>> readToEnd) {
    this.snapshots = Topics.SNAPSHOTS.name(config.topics());
    this.sweeps = Topics.SWEEPS.name(config.topics());
    this.outbox = new Outbox(producer, "restitch-sweeper-outbox");
    this.book = book;
    SweeperSetting setting =
        new SweeperSetting(config.sweep(), owner, owns, book, readToEnd, this::tell, all, clock);
    SideReader reader = new SideReader(stores, clock);
    Recollection compared = new Recollection(SweepTools.COMPARED);
    Recollection told = new Recollection(SweepTools.TOLD);
    for (String store : storesWithSides(config)) {
      SweepTools tools =
          new SweepTools(
              config.resolver(), reader, new Pipes(), compared, told, this::raise, side -> true);
      StoreSweeper sweeper = new StoreSweeper(stores.get(store), setting, tools);
      Thread thread = new Thread(sweeper, "restitch-sweeper-" + store);
      thread.setDaemon(true);
      sweepers.add(sweeper);
      threads.add(thread);
    }
  }

  static Set<String> storesWithSides(RestitchConfig config) {
    return config.relations().values().stream()
        .flatMap(relation -> relation.sides().stream())
        .map(SideConfig::store)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Begins to sweep. */
  public void start() {
    outbox.start();
    threads.forEach(Thread::start);
  }

  /** True while the sweeper of every store runs. */
  public boolean running() {
    return threads.stream().allMatch(Thread::isAlive);
  }

  /** What became of all keys that were scanned. */
  public SweepCounters counters() {
    return all.counters();
  }

  /** How often sweeps paused for the sake of a store. */
  public long pauses() {
    return sweepers.stream().mapToLong(StoreSweeper::pauses).sum();
  }

  /** What is known of gaps and sweeps. */
  public SweepBook book() {
    return book;
  }

  private CompletableFuture<Void> raise(Suspect suspect) {
    Snapshot snapshot =
        Snapshot.newBuilder()
            .setInstance(suspect.instance())
            .setSource(EvidenceSource.SWEEP)
            // no pass was checked against the primaries' roles: it convicts nobody
            .setStable(false)
            .setSides(suspect.readings())
            .setTakenAtMillis(clock.millis())
            .build();
    return outbox.send(snapshots, suspect.instance(), snapshot);
  }

  private CompletableFuture<Void> tell(Sweep mark) {
    return outbox.send(sweeps, NodeShare.name(mark.getStore(), mark.getNode()), mark);
  }

  /** Stops where it is, and tells how far it came, within a bounded time. */
  @Override
  public void close() {
    sweepers.forEach(StoreSweeper::close);
    try {
      for (Thread thread : threads) {
        thread.join(CLOSE_MILLIS);
        if (thread.isAlive()) {
          LOG.atWarn().addKeyValue("thread", thread.getName()).log("sweeper did not end in time");
          thread.interrupt();
        }
      }
    } catch (InterruptedException e) {
      threads.forEach(Thread::interrupt);
      Thread.currentThread().interrupt();
    }
    outbox.close();
  }
}
