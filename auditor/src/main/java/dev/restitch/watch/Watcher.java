package dev.restitch.watch;

import dev.restitch.config.Relations;
import dev.restitch.config.RestitchConfig;
import dev.restitch.config.SideConfig;
import dev.restitch.read.SideReader;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreNode;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches every primary of every store that holds a side, and publishes an observation after each
 * change of a side, a gap for whatever may have been missed, and a coverage mark a second and node.
 *
 * <p>Promised: the observations of a key come in order, and the last one speaks for the key's last
 * change that was notified. Not promised: one observation a change (changes in quick succession
 * share one).
 *
 * <p>Thread-safe. Stores and producer belong to the caller, who closes them after the watcher.
 */
public final class Watcher implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Watcher.class);
  private static final long TICK_SECONDS = 1;
  private static final long CLOSE_MILLIS = 5_000;

  private final Map<String, StoreClient> stores;
  private final Map<String, List<SideConfig>> sides = new LinkedHashMap<>();
  private final Map<String, NodeWatch> watches = new LinkedHashMap<>();
  private final ScheduledExecutorService timer;
  private final Outbox outbox;
  private final Surroundings around;
  private final List<NodeWatch> leaving = new ArrayList<>();
  private WatcherCounters left = WatcherCounters.ZERO;
  private boolean closed;

  /**
   * A watcher that does nothing before {@link #start}.
   *
   * @param stores by name, at least those that hold sides
   * @param owner name of this auditor, in coverage marks
   */
  public Watcher(
      RestitchConfig config,
      Map<String, StoreClient> stores,
      Producer<String, SpecificRecord> producer,
      String owner) {
    this.stores = Map.copyOf(stores);
    config.relations().values().stream()
        .flatMap(relation -> relation.sides().stream())
        .forEach(side -> sides.computeIfAbsent(side.store(), s -> new ArrayList<>()).add(side));
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "restitch-watcher");
              thread.setDaemon(true);
              return thread;
            });
    this.outbox = new Outbox(producer, "restitch-watcher-outbox");
    Relations relations = config.resolver();
    Clock clock = Clock.systemUTC();
    this.around =
        new Surroundings(
            relations, new SideReader(stores, clock), outbox, timer, config.topics(), clock, owner);
  }

  /** Begins to subscribe, without waiting for it; see {@link #subscribed}. */
  public void start() {
    outbox.start();
    for (String store : sides.keySet()) {
      stores.get(store).onTopologyChange(() -> around.soon(() -> follow("topology")));
    }
    follow("start");
    ScheduledFuture<?> unused =
        timer.scheduleAtFixedRate(this::tick, TICK_SECONDS, TICK_SECONDS, TimeUnit.SECONDS);
  }

  /** True if every primary is subscribed to now. */
  public boolean subscribed() {
    List<WatchedNode> nodes = nodes();
    return !nodes.isEmpty() && nodes.stream().allMatch(WatchedNode::subscribed);
  }

  /** How each primary's watch stands. */
  public synchronized List<WatchedNode> nodes() {
    return watches.values().stream().map(NodeWatch::status).toList();
  }

  /** What became of all notifications, of nodes that are gone too. */
  public synchronized WatcherCounters counters() {
    return Stream.concat(watches.values().stream(), leaving.stream())
        .map(watch -> watch.status().counters())
        .reduce(left, WatcherCounters::plus);
  }

  private synchronized void follow(String why) {
    if (closed) {
      return;
    }
    Map<String, NodeWatch> gone = new LinkedHashMap<>(watches);
    sides.forEach(
        (store, declared) -> {
          for (StoreNode node : stores.get(store).primaries()) {
            String name = store + "/" + node.id();
            NodeWatch known = watches.get(name);
            if (known != null && known.node() == node) {
              gone.remove(name);
            } else {
              watches.put(name, new NodeWatch(store, node, declared, around, why));
              watches.get(name).tick();
            }
          }
        });
    gone.forEach(
        (name, watch) -> {
          watches.remove(name, watch);
          watch.retire();
          leaving.add(watch);
        });
  }

  private void tick() {
    List<NodeWatch> present;
    synchronized (this) {
      present = List.copyOf(watches.values());
      forgetSettled();
    }
    for (NodeWatch watch : present) {
      try {
        watch.tick();
      } catch (RuntimeException e) {
        LOG.atError()
            .addKeyValue("node", watch.node().id())
            .setCause(e)
            .log("watching a node failed, trying again");
      }
    }
  }

  /** Lets watches of nodes that are gone go when all that they received is settled. */
  private void forgetSettled() {
    for (Iterator<NodeWatch> each = leaving.iterator(); each.hasNext(); ) {
      NodeWatch watch = each.next();
      if (watch.settled()) {
        left = left.plus(watch.status().counters());
        each.remove();
      }
    }
  }

  /** Unsubscribes, and publishes what was received, within a bounded time. Idempotent. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      watches.values().forEach(NodeWatch::close);
    }
    long patience = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_MILLIS);
    try {
      while (counters().pending() > 0 && System.nanoTime() < patience) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    timer.shutdownNow();
    outbox.close();
  }
}
