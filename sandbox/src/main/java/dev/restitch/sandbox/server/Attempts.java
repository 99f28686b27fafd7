package dev.restitch.sandbox.server;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Asks again until the answer is yes. */
final class Attempts {

  private static final long PAUSE_MILLIS = 20;

  private Attempts() {}

  /**
   * Waits until {@code ready} answers true.
   *
   * @return false if it did not in time
   */
  static boolean until(Duration atMost, Callable<Boolean> ready) throws Exception {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (!ready.call()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    return true;
  }
}
