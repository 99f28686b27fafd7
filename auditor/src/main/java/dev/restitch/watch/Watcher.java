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
import java.util.concurrent.ExecutorService;
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

  /** Notifications of one node that may be unsettled at once. */
  private static final int LIMIT = 65_536;

  private final Map<String, StoreClient> stores;
  private final Map<String, List<SideConfig>> sides = new LinkedHashMap<>();
  private final Map<String, NodeWatch> watches = new LinkedHashMap<>();
  private final ScheduledExecutorService timer;
  private final ExecutorService pump;
  private final Outbox outbox;
  private final Surroundings around;
  private final List<NodeWatch> leaving = new ArrayList<>();
  private WatcherCounters left = WatcherCounters.ZERO;
  private boolean closed;

  /**
   * A watcher of every node, that does nothing before {@link #start}.
   *
   * @param stores by name, at least those that hold sides
   * @param owner name of this auditor, in coverage marks
   */
  public Watcher(
      RestitchConfig config,
      Map<String, StoreClient> stores,
      Producer<String, SpecificRecord> producer,
      String owner) {
    this(config, stores, producer, owner, NodeShare.everything());
  }

  /**
   * A watcher of its share of the nodes, that does nothing before {@link #start}.
   *
   * @param stores by name, at least those that hold sides
   * @param owner name of this auditor, in coverage marks; no other's
   * @param share belongs to the caller, who closes it after the watcher
   */
  public Watcher(
      RestitchConfig config,
      Map<String, StoreClient> stores,
      Producer<String, SpecificRecord> producer,
      String owner,
      NodeShare share) {
    this(config, stores, producer, owner, share, LIMIT);
  }

  Watcher(
      RestitchConfig config,
      Map<String, StoreClient> stores,
      Producer<String, SpecificRecord> producer,
      String owner,
      NodeShare share,
      int limit) {
    this.stores = Map.copyOf(stores);
    config.relations().values().stream()
        .flatMap(relation -> relation.sides().stream())
        .forEach(side -> sides.computeIfAbsent(side.store(), s -> new ArrayList<>()).add(side));
    this.timer =
        Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "restitch-watcher"));
    this.pump = Executors.newSingleThreadExecutor(task -> daemon(task, "restitch-watcher-reads"));
    this.outbox = new Outbox(producer, "restitch-watcher-outbox");
    Relations relations = config.resolver();
    Clock clock = Clock.systemUTC();
    this.around =
        new Surroundings(
            relations,
            new SideReader(stores, clock),
            outbox,
            timer,
            pump,
            config.topics(),
            clock,
            share,
            owner,
            limit);
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Begins to subscribe, without waiting for it; see {@link #subscribed}. */
  public void start() {
    outbox.start();
    for (String store : sides.keySet()) {
      stores.get(store).onTopologyChange(() -> around.soon(() -> follow("topology")));
    }
    around.share().onChange(() -> around.soon(() -> follow("takeover")));
    follow("start");
    ScheduledFuture<?> unused =
        timer.scheduleAtFixedRate(this::tick, TICK_SECONDS, TICK_SECONDS, TimeUnit.SECONDS);
  }

  /**
   * True if this watcher knows its share of the primaries and is subscribed to each of them now.
   */
  public boolean subscribed() {
    return around.share().settled()
        && stores.keySet().stream()
            .filter(sides::containsKey)
            .noneMatch(store -> stores.get(store).primaries().isEmpty())
        && nodes().stream().allMatch(WatchedNode::subscribed);
  }

  /** How this watcher's watch of each of its primaries stands. */
  public synchronized List<WatchedNode> nodes() {
    return watches.values().stream().map(NodeWatch::status).toList();
  }

  /** How the watch of every primary stands, those of other auditors as they told it last. */
  public List<WatchedNode> everyNode() {
    Map<String, WatchedNode> ours = new LinkedHashMap<>();
    nodes().forEach(node -> ours.put(NodeShare.name(node.store(), node.node()), node));
    List<WatchedNode> all = new ArrayList<>();
    for (String store : sides.keySet()) {
      for (StoreNode node : stores.get(store).primaries()) {
        String name = NodeShare.name(store, node.id());
        all.add(
            ours.containsKey(name)
                ? ours.get(name)
                : around
                    .share()
                    .present(name)
                    .map(WatchedNode::of)
                    .orElseGet(() -> WatchedNode.unwatched(store, node.id())));
      }
    }
    return all;
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
    Map<String, NodeWatch> handed = new LinkedHashMap<>(watches);
    Map<String, NodeWatch> gone = new LinkedHashMap<>(watches);
    sides.forEach(
        (store, declared) -> {
          for (StoreNode node : stores.get(store).primaries()) {
            String name = NodeShare.name(store, node.id());
            NodeWatch known = watches.get(name);
            boolean same = known != null && known.node() == node;
            if (same) {
              gone.remove(name);
            }
            if (around.share().owns(name)) {
              handed.remove(name);
              if (!same) {
                watches.put(name, new NodeWatch(store, node, declared, around, why));
                watches.get(name).tick();
              }
            }
          }
        });
    handed.keySet().removeAll(gone.keySet());
    gone.forEach((name, watch) -> leave(name, watch, watch::retire));
    handed.forEach((name, watch) -> leave(name, watch, watch::close));
  }

  private void leave(String name, NodeWatch watch, Runnable end) {
    watches.remove(name, watch);
    end.run();
    leaving.add(watch);
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
      watch.linger();
      if (watch.settled()) {
        watch.tellLast();
        watch.release();
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
    pump.shutdownNow();
    synchronized (this) {
      Stream.concat(watches.values().stream(), leaving.stream())
          .forEach(
              watch -> {
                watch.tellLast();
                watch.release();
              });
    }
    outbox.close();
  }
}
