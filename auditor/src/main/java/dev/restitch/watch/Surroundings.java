package dev.restitch.watch;

import dev.restitch.config.Relations;
import dev.restitch.config.TopicsConfig;
import dev.restitch.read.SideReader;
import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the watches of all nodes share.
 *
 * @param timer runs what must not run on a connection's thread; nothing on it blocks
 * @param pump runs what asks for readings
 * @param share which nodes are ours, and what was covered before
 * @param owner the auditor that watches
 * @param limit notifications of one node that may be unsettled at once
 */
record Surroundings(
    Relations relations,
    SideReader reader,
    Outbox outbox,
    ScheduledExecutorService timer,
    Executor pump,
    TopicsConfig topics,
    Clock clock,
    NodeShare share,
    String owner,
    int limit) {

  private static final Logger LOG = LoggerFactory.getLogger(Watcher.class);

  /** Runs a task soon, on the timer; while closing, not at all. */
  void soon(Runnable task) {
    try {
      timer.execute(
          () -> {
            try {
              task.run();
            } catch (RuntimeException e) {
              LOG.atError().setCause(e).log("a task of the watcher failed");
            }
          });
    } catch (RejectedExecutionException closing) {
      LOG.atDebug().log("a task came while closing");
    }
  }
}
