package dev.restitch.worker.command;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs things later, on one thread that must not be blocked. What waits at the close is dropped:
 * its command has not been committed, and comes again.
 */
public final class Timer implements AutoCloseable {

  private final ScheduledThreadPoolExecutor thread;

  public Timer(String threadName) {
    this.thread =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread made = new Thread(task, threadName);
              made.setDaemon(true);
              return made;
            },
            new ThreadPoolExecutor.DiscardPolicy());
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** An executor that runs tasks after a delay. */
  public Executor after(Duration delay) {
    return task -> {
      Future<?> unused = thread.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    };
  }

  /** Idempotent. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
