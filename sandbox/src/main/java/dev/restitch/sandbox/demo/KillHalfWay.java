package dev.restitch.sandbox.demo;

import dev.restitch.sandbox.workload.Workload;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Ends services with SIGKILL half-way through the workload, and starts them again. */
final class KillHalfWay {

  private static final Duration DOWN = Duration.ofSeconds(4);
  private static final long PAUSE_MILLIS = 20;

  private final List<ServiceProcess> victims;
  private final LiveView view;
  private final CompletableFuture<Void> over = new CompletableFuture<>();
  private volatile boolean down;

  /**
   * @param victims none: does nothing
   */
  KillHalfWay(List<ServiceProcess> victims, LiveView view) {
    this.victims = victims;
    this.view = view;
  }

  /** Begins to watch the workload, on a thread of its own. */
  void begin(Workload workload, int acts) {
    if (victims.isEmpty()) {
      over.complete(null);
      return;
    }
    Thread thread = new Thread(() -> run(workload, acts), "kill-half-way");
    thread.setDaemon(true);
    thread.start();
  }

  private void run(Workload workload, int acts) {
    String names = victims.stream().map(ServiceProcess::name).collect(Collectors.joining(", "));
    try {
      while (workload.issued() < acts / 2) {
        Thread.sleep(PAUSE_MILLIS);
      }
      down = true;
      victims.forEach(ServiceProcess::kill);
      view.say("killed " + names + " with SIGKILL; starting again in " + DOWN.toSeconds() + " s");
      Thread.sleep(DOWN.toMillis());
      for (ServiceProcess victim : victims) {
        victim.start();
      }
      down = false;
      view.say("started " + names + " again");
      over.complete(null);
    } catch (Exception e) {
      over.completeExceptionally(e);
    }
  }

  /** True while services are down on purpose. */
  boolean down() {
    return down;
  }

  /** Waits until all is started again; fails if that failed. */
  void await() {
    over.join();
  }
}
