package dev.restitch.worker.guard;

import dev.restitch.config.RelationConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Lets repairs go on when their turn has come at every gate that they must pass: one of their
 * relation and one of each store. Nobody passes another who waits at the same gate. Who may not go
 * on any more is turned away at once, and takes no turn. What waits is bounded by its callers.
 * Thread-safe; never blocks.
 */
public final class RatePermits {

  private static final Duration LONGEST_SLEEP = Duration.ofSeconds(1);

  private final Limits limits;
  private final LongSupplier nanoClock;
  private final Function<Duration, Executor> after;
  private final Map<GateName, Gate> gates = new HashMap<>();
  private final Map<GateName, Supplier<Gate.Limits>> sources = new HashMap<>();
  private final Map<Set<GateName>, List<Waiter>> queues = new HashMap<>();
  private long arrivals;
  private int waiting;
  private int inside;
  private long wakeNanos = Long.MAX_VALUE;

  /** A repair that has passed, and counts as in progress until it is left. */
  public interface Slot {

    /** The repair has ended. Idempotent. */
    void leave();
  }

  /**
   * @param relation empty: the store's own gate
   */
  private record GateName(String relation, String store) {}

  private record Waiter(
      long arrival,
      Set<GateName> gates,
      boolean stays,
      Supplier<Optional<? extends RuntimeException>> objection,
      CompletableFuture<Slot> passed) {}

  /**
   * @param nanoClock as {@link System#nanoTime}
   * @param after an executor that runs tasks after a delay
   */
  public RatePermits(Limits limits, LongSupplier nanoClock, Function<Duration, Executor> after) {
    this.limits = limits;
    this.nanoClock = nanoClock;
    this.after = after;
  }

  /** Completes when something may be written once to all these stores. */
  public CompletionStage<Slot> acquire(RelationConfig relation, Collection<String> stores) {
    return join(relation, stores, false, Optional::empty);
  }

  /**
   * Completes when a repair may begin on all these stores. It counts as in progress until its slot
   * is left.
   *
   * @param objection asked now and then, and before it passes; what it returns fails the stage
   */
  public CompletionStage<Slot> enter(
      RelationConfig relation,
      Collection<String> stores,
      Supplier<Optional<? extends RuntimeException>> objection) {
    return join(relation, stores, true, objection);
  }

  private CompletionStage<Slot> join(
      RelationConfig relation,
      Collection<String> stores,
      boolean stays,
      Supplier<Optional<? extends RuntimeException>> objection) {
    CompletableFuture<Slot> passed = new CompletableFuture<>();
    synchronized (this) {
      Set<GateName> names = new LinkedHashSet<>();
      for (String store : stores) {
        names.add(gate(new GateName(relation.name(), store), () -> limits.of(relation)));
        names.add(gate(new GateName("", store), () -> limits.of(store)));
      }
      queues
          .computeIfAbsent(names, n -> new ArrayList<>())
          .add(new Waiter(arrivals++, names, stays, objection, passed));
      waiting++;
    }
    advance(false);
    return passed.minimalCompletionStage();
  }

  private GateName gate(GateName name, Supplier<Gate.Limits> source) {
    sources.putIfAbsent(name, source);
    gates.computeIfAbsent(name, n -> new Gate(source.get(), nanoClock));
    return name;
  }

  /** Limits or objections may have changed: those who wait are looked at anew. */
  public void reconsider() {
    synchronized (this) {
      gates.forEach((name, gate) -> gate.change(sources.get(name).get()));
    }
    advance(true);
  }

  /** Repairs that wait for their turn. */
  public synchronized int waiting() {
    return waiting;
  }

  /** Repairs in progress. */
  public synchronized int inside() {
    return inside;
  }

  /**
   * Lets pass who may. Completions run after the lock has been given back.
   *
   * @param everyone true: all objections are heard, not only of those whose turn is next
   */
  private void advance(boolean everyone) {
    List<Runnable> completions = new ArrayList<>();
    synchronized (this) {
      if (everyone) {
        hearAll(completions);
      }
      Set<GateName> taken = new HashSet<>();
      long wait = Long.MAX_VALUE;
      for (Waiter first = next(taken); first != null; first = next(taken)) {
        if (turnAway(first, completions)) {
          remove(first);
          continue;
        }
        long mine = waitNanos(first);
        if (mine == 0) {
          remove(first);
          completions.add(pass(first));
        } else {
          taken.addAll(first.gates());
          wait = Math.min(wait, mine);
        }
      }
      sleep(wait);
    }
    completions.forEach(Runnable::run);
  }

  private void hearAll(List<Runnable> completions) {
    for (List<Waiter> queue : queues.values()) {
      for (Iterator<Waiter> each = queue.iterator(); each.hasNext(); ) {
        if (turnAway(each.next(), completions)) {
          each.remove();
          waiting--;
        }
      }
    }
    queues.values().removeIf(List::isEmpty);
  }

  /** The one who came first of those whose gates nobody waits at who came before. */
  private Waiter next(Set<GateName> taken) {
    Waiter next = null;
    for (List<Waiter> queue : queues.values()) {
      Waiter head = queue.get(0);
      if ((next == null || head.arrival() < next.arrival())
          && head.gates().stream().noneMatch(taken::contains)) {
        next = head;
      }
    }
    return next;
  }

  private boolean turnAway(Waiter waiter, List<Runnable> completions) {
    Optional<? extends RuntimeException> objection = waiter.objection().get();
    objection.ifPresent(why -> completions.add(() -> fail(waiter, why)));
    return objection.isPresent();
  }

  private static void fail(Waiter waiter, RuntimeException why) {
    waiter.passed().completeExceptionally(why);
  }

  private void remove(Waiter waiter) {
    List<Waiter> queue = queues.get(waiter.gates());
    queue.remove(0);
    waiting--;
    if (queue.isEmpty()) {
      queues.remove(waiter.gates());
    }
  }

  private long waitNanos(Waiter waiter) {
    long wait = 0;
    for (GateName name : waiter.gates()) {
      wait = Math.max(wait, gates.get(name).waitNanos(waiter.stays()));
    }
    return wait;
  }

  private Runnable pass(Waiter waiter) {
    waiter.gates().forEach(name -> gates.get(name).enter(waiter.stays()));
    if (waiter.stays()) {
      inside++;
    }
    AtomicBoolean left = new AtomicBoolean(!waiter.stays());
    Slot slot =
        () -> {
          if (left.compareAndSet(false, true)) {
            leave(waiter.gates());
          }
        };
    return () -> waiter.passed().complete(slot);
  }

  private void leave(Set<GateName> names) {
    synchronized (this) {
      inside--;
      names.forEach(name -> gates.get(name).leave());
    }
    advance(false);
  }

  /** Wakes up when the next turn comes; while somebody waits, at least once a second. */
  private void sleep(long waitNanos) {
    if (queues.isEmpty()) {
      return;
    }
    long sleep = Math.min(waitNanos, LONGEST_SLEEP.toNanos());
    long at = nanoClock.getAsLong() + sleep;
    if (wakeNanos == Long.MAX_VALUE || at - wakeNanos < 0) {
      wakeNanos = at;
      after.apply(Duration.ofNanos(sleep)).execute(() -> wake(at));
    }
  }

  private void wake(long at) {
    synchronized (this) {
      if (at == wakeNanos) {
        wakeNanos = Long.MAX_VALUE;
      }
    }
    advance(false);
  }
}
