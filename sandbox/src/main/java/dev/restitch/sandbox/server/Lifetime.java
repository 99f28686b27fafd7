package dev.restitch.sandbox.server;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns what must not outlive a run. Everything is closed exactly once, newest first, on {@link
 * #close} or when the JVM ends (also by Ctrl-C), whichever comes first. Starts that are under way
 * at that moment are awaited and closed too. Thread-safe.
 */
public final class Lifetime implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Lifetime.class);
  private static final Duration START_AT_MOST = Duration.ofMinutes(1);

  private final Deque<AutoCloseable> owned = new ArrayDeque<>();
  private final Deque<CompletableFuture<?>> starting = new ArrayDeque<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final Thread hook = new Thread(this::endWithJvm, "lifetime-end");
  private boolean ending;

  private Lifetime() {}

  /** A lifetime that also ends with the JVM. */
  public static Lifetime begin() {
    Lifetime lifetime = new Lifetime();
    Runtime.getRuntime().addShutdownHook(lifetime.hook);
    return lifetime;
  }

  /**
   * Takes ownership.
   *
   * @throws IllegalStateException if the lifetime has ended; the resource is closed then
   */
  public <T extends AutoCloseable> T own(T resource) {
    synchronized (this) {
      if (!ending) {
        owned.push(resource);
        return resource;
      }
    }
    closeQuietly(resource);
    throw new IllegalStateException("ended while starting");
  }

  /** Starts something on a thread of its own, and owns it from the moment that it runs. */
  public <T extends AutoCloseable> CompletableFuture<T> start(String name, Callable<T> start) {
    CompletableFuture<T> started = new CompletableFuture<>();
    synchronized (this) {
      if (ending) {
        throw new IllegalStateException("ended before " + name + " was started");
      }
      starting.push(started);
    }
    Thread thread =
        new Thread(
            () -> {
              try {
                started.complete(ownStarted(start.call()));
              } catch (Exception | Error e) {
                started.completeExceptionally(
                    new IllegalStateException(name + " did not start: " + e.getMessage(), e));
              }
            },
            "start-" + name);
    thread.setDaemon(true);
    thread.start();
    return started;
  }

  /** Waits for a start and hands out what it started, or throws why it did not. */
  public static <T> T await(CompletableFuture<T> started) {
    try {
      return started.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  private synchronized <T extends AutoCloseable> T ownStarted(T resource) {
    // end() waits for this start before it looks at what is owned
    owned.push(resource);
    return resource;
  }

  /** True once the end has begun: what fails from then on fails because of it. */
  public synchronized boolean ending() {
    return ending;
  }

  /** Closes all; returns when all is closed, also if another thread does it. */
  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      log.atDebug().log("the JVM is ending; its hook finds nothing left to do");
    }
  }

  private void endWithJvm() {
    if (!ending()) {
      log.atWarn().log("interrupted: ending all that was started");
    }
    end();
  }

  private void end() {
    boolean first;
    synchronized (this) {
      first = !ending;
      ending = true;
    }
    if (!first) {
      ended.join();
      return;
    }
    awaitStarts();
    AutoCloseable next;
    while ((next = pop()) != null) {
      closeQuietly(next);
    }
    ended.complete(null);
  }

  private void awaitStarts() {
    CompletableFuture<?>[] all;
    synchronized (this) {
      all = starting.toArray(CompletableFuture<?>[]::new);
    }
    try {
      CompletableFuture.allOf(all).get(START_AT_MOST.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      log.atDebug().addKeyValue("cause", e.getCause()).log("a start failed");
    } catch (TimeoutException e) {
      log.atWarn().log("a start did not end in time and is not waited for");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized AutoCloseable pop() {
    return owned.poll();
  }

  private static void closeQuietly(AutoCloseable resource) {
    String what = resource.getClass().getSimpleName();
    long start = System.nanoTime();
    try {
      resource.close();
    } catch (Exception e) {
      log.atWarn()
          .addKeyValue("what", what)
          .addKeyValue("cause", e.toString())
          .log("could not be closed cleanly");
    }
    log.atDebug()
        .addKeyValue("what", what)
        .addKeyValue("millis", (System.nanoTime() - start) / 1_000_000)
        .log("closed");
  }
}
