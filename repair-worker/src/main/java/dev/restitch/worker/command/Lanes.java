package dev.restitch.worker.command;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Keeps the tasks of one instance in order, one at a time; different instances run beside each
 * other. Bounded by its callers. Thread-safe; never blocks.
 */
final class Lanes {

  private final ConcurrentHashMap<String, CompletableFuture<Void>> last = new ConcurrentHashMap<>();
  private final Executor executor;

  /**
   * @param executor where tasks are begun
   */
  Lanes(Executor executor) {
    this.executor = executor;
  }

  /** Runs a task after all earlier ones of its instance have ended, well or not. */
  void submit(String instance, Supplier<? extends CompletionStage<?>> task) {
    CompletableFuture<Void> mine = new CompletableFuture<>();
    CompletableFuture<Void> before = last.put(instance, mine);
    CompletionStage<Void> start = before == null ? CompletableFuture.completedStage(null) : before;
    start.whenCompleteAsync((done, failure) -> run(instance, task, mine), executor);
  }

  private void run(
      String instance, Supplier<? extends CompletionStage<?>> task, CompletableFuture<Void> mine) {
    CompletionStage<?> ended;
    try {
      ended = task.get();
    } catch (RuntimeException e) {
      ended = CompletableFuture.failedStage(e);
    }
    ended.whenComplete(
        (result, failure) -> {
          last.remove(instance, mine);
          mine.complete(null);
        });
  }

  /** Instances with a task that has not ended. */
  int busy() {
    return last.size();
  }
}
