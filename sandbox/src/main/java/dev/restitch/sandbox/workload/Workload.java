package dev.restitch.sandbox.workload;

import dev.restitch.config.RestitchConfig;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Issues acts at a steady rate over a pool of instances, many at once, never two on one instance.
 * {@link #run} is called once; the other methods may be called on any thread.
 */
public final class Workload {

  private static final int AT_ONCE = 128;

  /** The first seconds are for getting warm: the rate grows from nothing. */
  private static final double RAMP_SECONDS = 4;

  private static final long LONGEST_NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final int FAILURES_KEPT = 5;

  private final Pool pool;
  private final Actor actor;
  private final Ledger ledger;
  private final Duration quarantine;
  private final Semaphore slots = new Semaphore(AT_ONCE);
  private final LongAdder failed = new LongAdder();
  private final Deque<String> failures = new ArrayDeque<>();
  private final AtomicInteger issued = new AtomicInteger();
  private volatile boolean stopped;

  /**
   * @param instances instances a relation
   */
  public Workload(RestitchConfig config, int instances, Writers writers, Truth truth) {
    this.pool = new Pool(config.relations().values(), instances);
    this.ledger = new Ledger(this::released);
    this.actor = new Actor(writers, truth, ledger);
    Duration settle =
        config.relations().values().stream()
            .map(relation -> relation.settle())
            .max(Duration::compareTo)
            .orElseThrow();
    // truth is read once more one settle time after a rewrite
    this.quarantine = settle.multipliedBy(2).plusSeconds(1);
  }

  /** Who was torn and found. */
  public Ledger ledger() {
    return ledger;
  }

  /**
   * Issues the whole agenda and waits for what it began.
   *
   * @param rate acts a second
   * @return false if it was stopped, or took more than {@code atMost}
   */
  public boolean run(Agenda agenda, Random random, int rate, Duration atMost)
      throws InterruptedException {
    long start = System.nanoTime();
    while (issued.get() < agenda.length() && !stopped) {
      double seconds = (System.nanoTime() - start) / 1e9;
      if (seconds > atMost.toSeconds()) {
        break;
      }
      double ramp = Math.min(seconds, RAMP_SECONDS);
      double due = rate * (seconds - ramp + ramp * ramp / (2 * RAMP_SECONDS));
      if (issued.get() >= due) {
        LockSupport.parkNanos(LONGEST_NAP_NANOS);
        continue;
      }
      slots.acquire();
      Choices choices = Choices.draw(random);
      issue(agenda.at(issued.get()), choices, random);
      issued.incrementAndGet();
    }
    boolean idle = slots.tryAcquire(AT_ONCE, atMost.toMillis(), TimeUnit.MILLISECONDS);
    return idle && issued.get() == agenda.length();
  }

  private void issue(Act act, Choices choices, Random random) {
    Optional<Instance> taken = pool.take(act, random);
    if (taken.isEmpty()) {
      failed("no instance is free for " + act + "; give more instances");
      slots.release();
      return;
    }
    Instance instance = taken.get();
    CompletionStage<Void> performed;
    try {
      performed = actor.perform(act, instance, choices);
    } catch (RuntimeException e) {
      performed = CompletableFuture.failedStage(e);
    }
    performed.whenComplete(
        (nothing, failure) -> {
          if (failure != null) {
            failed(act + " on " + instance.name() + ": " + root(failure));
          } else if (!(act instanceof Tear)) {
            pool.giveBack(instance.name());
          }
          slots.release();
        });
  }

  private void released(String instance) {
    CompletableFuture.delayedExecutor(quarantine.toMillis(), TimeUnit.MILLISECONDS)
        .execute(() -> pool.giveBack(instance));
  }

  private static String root(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return failure == root ? root.toString() : failure.getMessage() + ", from " + root;
  }

  private void failed(String what) {
    failed.increment();
    synchronized (failures) {
      if (failures.size() < FAILURES_KEPT) {
        failures.add(what);
      }
    }
  }

  /** Issues nothing more. */
  public void stop() {
    stopped = true;
  }

  /** Acts issued so far. */
  public int issued() {
    return issued.get();
  }

  /** Logical writes done so far. */
  public long written() {
    return actor.written();
  }

  /** Acts that failed. */
  public long failed() {
    return failed.sum();
  }

  /** The first few failures, in words. */
  public List<String> failures() {
    synchronized (failures) {
      return List.copyOf(failures);
    }
  }

  List<Instance> instances() {
    return pool.all();
  }
}
