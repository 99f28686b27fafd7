package dev.restitch.sweep;

import dev.restitch.config.Relations.Side;
import dev.restitch.config.RestitchConfig;
import dev.restitch.config.SideConfig;
import dev.restitch.config.SweepConfig;
import dev.restitch.model.Bytes;
import dev.restitch.read.SideReader;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreNode;
import dev.restitch.sweep.NodeSweep.Step;
import dev.restitch.watch.NodeShare;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sweeps nodes once, straight from the stores, and writes nothing: one thread a store, its nodes in
 * turn. What is raised was looked at again one settle time later.
 */
public final class SweepOnce {

  private static final Logger LOG = LoggerFactory.getLogger(SweepOnce.class);
  private static final int ATTEMPTS = 4;
  private static final int LARGEST_PAGE = 1_000;
  private static final int LEAST_PAGE = 10;
  private static final long NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final RestitchConfig config;
  private final Map<String, StoreClient> stores;
  private final Request request;
  private final Suspicions suspicions;
  private final Tally all = new Tally();
  private final AtomicLong keys = new AtomicLong();
  private final List<String> unread = Collections.synchronizedList(new ArrayList<>());

  /**
   * What is asked for.
   *
   * @param relation its name; null: every relation
   * @param prefix that scanned keys begin with; empty: any
   * @param store whose nodes are scanned; null: every store that holds sides
   * @param rate keys a second and store
   */
  public record Request(String relation, Bytes prefix, String store, int rate) {}

  /**
   * A sweep that has not begun.
   *
   * @param stores by name, those of all sides; belong to the caller
   */
  public SweepOnce(
      RestitchConfig config,
      Map<String, StoreClient> stores,
      Request request,
      Suspicions suspicions) {
    this.config = config;
    this.stores = Map.copyOf(stores);
    this.request = request;
    this.suspicions = suspicions;
  }

  /** Keys of the nodes that are swept; grows until all are asked. */
  public long keys() {
    return keys.get();
  }

  /** What became of the keys scanned so far. */
  public SweepCounters counters() {
    return all.counters();
  }

  /** Nodes that could not be swept, {@code store/host:port}; whole stores by their names. */
  public List<String> unread() {
    return List.copyOf(unread);
  }

  /** Sweeps; returns when all is done. */
  public void run() throws InterruptedException {
    SideReader reader = new SideReader(stores, Clock.systemUTC());
    Recollection compared = new Recollection(SweepTools.COMPARED);
    Recollection told = new Recollection(SweepTools.TOLD);
    List<Thread> threads = new ArrayList<>();
    for (String store : scanned()) {
      SweepTools tools =
          new SweepTools(
              config.resolver(), reader, new Pipes(), compared, told, suspicions, wanted());
      Thread thread = new Thread(() -> sweep(stores.get(store), tools), "restitch-sweep-" + store);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private List<String> scanned() {
    return config.relations().values().stream()
        .filter(r -> request.relation() == null || r.name().equals(request.relation()))
        .flatMap(r -> r.sides().stream())
        .map(SideConfig::store)
        .filter(store -> request.store() == null || store.equals(request.store()))
        .distinct()
        .toList();
  }

  private Predicate<Side> wanted() {
    return side ->
        (request.relation() == null || side.relation().name().equals(request.relation()))
            && side.key().key().startsWith(request.prefix());
  }

  private void sweep(StoreClient store, SweepTools tools) {
    try (Pipes pipes = tools.pipes()) {
      List<StoreNode> primaries = store.primaries();
      if (primaries.isEmpty()) {
        unread.add(store.name());
      }
      for (StoreNode node : primaries) {
        keys.addAndGet(node.commands().dbsize().toCompletableFuture().exceptionally(e -> 0L).get());
      }
      Pace pace = new Pace();
      for (StoreNode node : primaries) {
        if (!sweep(store, node, tools, pace)) {
          unread.add(NodeShare.name(store.name(), node.id()));
        }
      }
    } catch (InterruptedException e) {
      unread.add(store.name());
    } catch (ExecutionException | RuntimeException e) {
      LOG.atError().addKeyValue("store", store.name()).setCause(e).log("the sweep failed");
      unread.add(store.name());
    }
  }

  private boolean sweep(StoreClient store, StoreNode node, SweepTools tools, Pace pace)
      throws InterruptedException {
    SweepConfig limits = config.sweep();
    NodeWork work =
        new NodeWork(
            store.name(),
            node,
            "command line",
            tools,
            all,
            new SweepBook(),
            limits,
            Clock.systemUTC());
    Duty duty = new Duty(work.name(), true, -1);
    int page = Math.max(LEAST_PAGE, Math.min(LARGEST_PAGE, request.rate() / 4));
    for (int failures = 0; failures < ATTEMPTS; ) {
      long now = System.nanoTime();
      long wait = pace.waitNanos(now);
      if (!work.ready(now)) {
        TimeUnit.NANOSECONDS.sleep(NAP_NANOS);
      } else if (work.differsFrom(duty)) {
        failures += work.begin(duty, page) ? 0 : 1;
      } else if (wait > 0) {
        TimeUnit.NANOSECONDS.sleep(Math.min(wait, NAP_NANOS));
      } else if (work.strain().pause(now).isPresent()) {
        TimeUnit.NANOSECONDS.sleep(NAP_NANOS);
      } else {
        Step step = work.step();
        switch (step) {
          case ON -> pace.spent(work.lastPage(), request.rate(), now);
          case WAIT -> TimeUnit.NANOSECONDS.sleep(work.waitNanos(now, NAP_NANOS));
          case BROKEN -> failures++;
          case DONE -> {
            if (work.complete()) {
              return true;
            }
            if (work.unreadable() > 0) {
              return false;
            }
            failures++;
          }
        }
      }
    }
    return false;
  }
}
