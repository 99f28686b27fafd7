package dev.restitch.doctor;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Work that ends in time, or is given up. */
final class Timed {

  private Timed() {}

  /**
   * The result of work done on another thread, which is interrupted when the time is over.
   *
   * @throws Exception what the work threw, or a {@link TimeoutException} that says how long it took
   */
  static <T> T call(Duration limit, Callable<T> work) throws Exception {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task, "restitch-doctor");
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new TimeoutException("no answer within " + limit.toSeconds() + " s");
    } catch (ExecutionException e) {
      throw unwrapped(e);
    } finally {
      task.cancel(true);
    }
  }

  /**
   * The result of an asynchronous call.
   *
   * @throws Exception as {@link #call}
   */
  static <T> T get(Duration limit, CompletionStage<T> stage) throws Exception {
    try {
      return stage.toCompletableFuture().get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new TimeoutException("no answer within " + limit.toSeconds() + " s");
    } catch (ExecutionException e) {
      throw unwrapped(e);
    }
  }

  private static Exception unwrapped(Exception e) {
    Throwable at = e;
    while ((at instanceof ExecutionException || at instanceof CompletionException)
        && at.getCause() != null) {
      at = at.getCause();
    }
    return at instanceof Exception known ? known : new IllegalStateException(at);
  }

  /** What failed, in one line. */
  static String words(Throwable failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank()
        ? failure.getClass().getSimpleName()
        : message.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
