package dev.restitch.sweep;

import dev.restitch.config.SweepConfig;
import dev.restitch.read.LastStep;
import dev.restitch.store.StoreNode;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Says when a sweep of a node should pause: while the node answers {@code PING} too slowly, or its
 * memory runs out, but not for ever. The sweeping thread asks; answers come on a connection's.
 */
final class Strain {

  private static final int USUAL_PINGS = 30;
  private static final long PING_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long INFO_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final StoreNode node;
  private final long pauseLimitNanos;
  private final Latency latency;
  private final MemoryUse memory;
  private final AtomicBoolean pinging = new AtomicBoolean();
  private final AtomicBoolean informing = new AtomicBoolean();
  private long pingedAtNanos;
  private long informedAtNanos;
  private long pausedAtNanos;
  private String paused;
  private long pauses;

  Strain(StoreNode node, SweepConfig limits) {
    this.node = node;
    this.pauseLimitNanos = limits.pauseLimit().toNanos();
    this.latency = new Latency(limits.latency().toNanos());
    this.memory = new MemoryUse(limits.memory());
  }

  /**
   * Measures what is usual, while no sweep runs; takes as long as thirty answers in turn.
   *
   * @throws ExecutionException if the node does not answer
   */
  void begin() throws InterruptedException, ExecutionException {
    long[] answers = new long[USUAL_PINGS];
    for (int i = 0; i < answers.length; i++) {
      long asked = System.nanoTime();
      node.commands().ping().get();
      answers[i] = System.nanoTime() - asked;
    }
    synchronized (this) {
      latency.usual(Latency.p99(answers));
      latency.forget();
      memory.begin();
      paused = null;
    }
  }

  /**
   * Why the sweep should not go on now; empty: it should. Asks the node how it is. Not blocking.
   */
  Optional<String> pause(long nowNanos) {
    ping(nowNanos);
    inform(nowNanos);
    synchronized (this) {
      if (paused != null) {
        boolean over = nowNanos - pausedAtNanos >= pauseLimitNanos;
        boolean better = latency.known() && reason() == null;
        if (over || better) {
          paused = null;
          latency.forget();
        }
        return Optional.ofNullable(paused);
      }
      paused = reason();
      if (paused != null) {
        pauses++;
        pausedAtNanos = nowNanos;
        latency.forget();
      }
      return Optional.ofNullable(paused);
    }
  }

  private String reason() {
    return latency.tooMuch() ? "latency" : memory.tooMuch() ? "memory" : null;
  }

  /** Why it pauses now; empty: it does not. */
  synchronized Optional<String> paused() {
    return Optional.ofNullable(paused);
  }

  /** How often it paused. */
  synchronized long pauses() {
    return pauses;
  }

  private void ping(long nowNanos) {
    if (nowNanos - pingedAtNanos < PING_NANOS || !pinging.compareAndSet(false, true)) {
      return;
    }
    pingedAtNanos = nowNanos;
    LastStep.of(
        node.commands().ping(),
        (pong, failure) -> {
          // an answer that timed out counts with its time; a refusal, which is quick, for nothing
          synchronized (this) {
            long took = System.nanoTime() - nowNanos;
            if (failure == null || took > latency.limitNanos()) {
              latency.answered(took);
            }
          }
          pinging.set(false);
        });
  }

  private void inform(long nowNanos) {
    if (nowNanos - informedAtNanos < INFO_NANOS || !informing.compareAndSet(false, true)) {
      return;
    }
    informedAtNanos = nowNanos;
    LastStep.of(
        node.commands().info("memory"),
        (info, failure) -> {
          if (failure == null) {
            synchronized (this) {
              memory.told(info);
            }
          }
          informing.set(false);
        });
  }
}
