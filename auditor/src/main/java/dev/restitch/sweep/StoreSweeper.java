package dev.restitch.sweep;

import dev.restitch.avro.Sweep;
import dev.restitch.config.SweepConfig;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreNode;
import dev.restitch.sweep.NodeSweep.Step;
import dev.restitch.watch.NodeShare;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sweeps the nodes of one store, one at a time, on a thread of its own. */
final class StoreSweeper implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(StoreSweeper.class);
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long MARK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int PAGES_A_SECOND = 4;
  private static final int LEAST_PAGE = 10;
  private static final int LARGEST_PAGE = 1_000;

  private final StoreClient store;
  private final SweeperSetting setting;
  private final SweepTools tools;
  private final Duties duties;
  private final Pace pace = new Pace();
  private final Map<String, NodeWork> works = new LinkedHashMap<>();
  private final Map<String, CompletableFuture<Void>> joining = new HashMap<>();
  private final Map<String, Marking> marking = new HashMap<>();
  private final AtomicLong pausesOfThoseGone = new AtomicLong();
  private volatile List<NodeWork> present = List.of();
  private volatile boolean closed;

  /** The last mark of a node that was sent, and what became of it. */
  private record Marking(Sweep mark, long atNanos, CompletableFuture<Void> sent) {}

  StoreSweeper(StoreClient store, SweeperSetting setting, SweepTools tools) {
    this.store = store;
    this.setting = setting;
    this.tools = tools;
    SweepConfig limits = setting.limits();
    this.duties = new Duties(store.name(), setting.book(), limits.rate() > 0, limits.every());
  }

  @Override
  public void run() {
    try (Pipes pipes = tools.pipes()) {
      while (!closed) {
        try {
          round();
        } catch (RuntimeException e) {
          LOG.atError().addKeyValue("store", store.name()).setCause(e).log("a sweep failed");
          works.values().forEach(NodeWork::abandon);
          TimeUnit.NANOSECONDS.sleep(MARK_NANOS);
        }
      }
      works.values().forEach(this::tell);
      works.values().forEach(NodeWork::abandon);
    } catch (InterruptedException e) {
      LOG.atDebug().log("sweeper interrupted");
    }
  }

  private void round() throws InterruptedException {
    List<StoreNode> primaries = store.primaries();
    follow(primaries);
    Set<String> names = new HashSet<>();
    primaries.forEach(node -> names.add(NodeShare.name(store.name(), node.id())));
    long now = System.nanoTime();
    List<String> ready =
        works.values().stream().filter(work -> work.ready(now)).map(NodeWork::name).toList();
    Optional<Duty> duty =
        duties.next(ready, names, name -> works.get(name).underWay(), setting.clock().millis());
    tellDue();
    if (duty.isEmpty()) {
      TimeUnit.NANOSECONDS.sleep(IDLE_NANOS);
    } else {
      work(works.get(duty.get().name()), duty.get());
    }
  }

  /** Takes over the primaries that are ours now, and lets go of those that are not. */
  private void follow(List<StoreNode> primaries) {
    Predicate<String> owns = setting.owns();
    Set<StoreNode> ours = new HashSet<>();
    for (StoreNode node : primaries) {
      String name = NodeShare.name(store.name(), node.id());
      if (owns.test(name)) {
        ours.add(node);
        if (!works.containsKey(name) || works.get(name).node() != node) {
          join(name, node);
        }
      }
    }
    joining.keySet().removeIf(name -> !owns.test(name));
    for (Iterator<NodeWork> each = works.values().iterator(); each.hasNext(); ) {
      NodeWork work = each.next();
      if (!ours.contains(work.node())) {
        tell(work);
        work.abandon();
        pausesOfThoseGone.addAndGet(work.strain().pauses());
        each.remove();
      }
    }
    present = List.copyOf(works.values());
  }

  /** Begins with a node when all is read that others told of it. */
  private void join(String name, StoreNode node) {
    CompletableFuture<Void> read = joining.computeIfAbsent(name, n -> setting.readToEnd().get());
    if (!read.isDone()) {
      return;
    }
    joining.remove(name);
    if (!read.isCompletedExceptionally()) {
      NodeWork before =
          works.put(
              name,
              new NodeWork(
                  store.name(),
                  node,
                  setting.owner(),
                  tools,
                  setting.all(),
                  setting.book(),
                  setting.limits(),
                  setting.clock()));
      if (before != null) {
        before.abandon();
      }
    }
  }

  private void work(NodeWork work, Duty duty) throws InterruptedException {
    int rate = duty.forGap() ? setting.limits().gapRate() : setting.limits().rate();
    if (work.differsFrom(duty)) {
      int page = Math.max(LEAST_PAGE, Math.min(LARGEST_PAGE, rate / PAGES_A_SECOND));
      if (!work.begin(duty, page)) {
        return;
      }
    }
    long now = System.nanoTime();
    if (work.strain().pause(now).isPresent()) {
      TimeUnit.NANOSECONDS.sleep(PAUSE_NANOS);
      return;
    }
    long wait = pace.waitNanos(now);
    if (wait > 0) {
      TimeUnit.NANOSECONDS.sleep(Math.min(wait, IDLE_NANOS));
      return;
    }
    Step step = work.step();
    switch (step) {
      case ON -> pace.spent(work.lastPage(), rate, now);
      case WAIT -> TimeUnit.NANOSECONDS.sleep(work.waitNanos(System.nanoTime(), IDLE_NANOS));
      case DONE, BROKEN -> tell(work);
    }
  }

  private void tellDue() {
    long now = System.nanoTime();
    for (NodeWork work : works.values()) {
      Marking last = marking.get(work.name());
      boolean due = last == null || now - last.atNanos() >= MARK_NANOS;
      if (due && (last == null || lost(last) || !last.mark().equals(work.mark()))) {
        tell(work);
      }
    }
  }

  private static boolean lost(Marking marking) {
    return marking.sent().isCompletedExceptionally();
  }

  private void tell(NodeWork work) {
    Sweep mark = work.mark();
    setting.book().mark(mark);
    marking.put(work.name(), new Marking(mark, System.nanoTime(), setting.tell().apply(mark)));
  }

  /** How often sweeps of this store paused. */
  long pauses() {
    return pausesOfThoseGone.get()
        + present.stream().mapToLong(work -> work.strain().pauses()).sum();
  }

  void close() {
    closed = true;
  }
}
