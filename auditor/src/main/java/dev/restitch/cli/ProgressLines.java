package dev.restitch.cli;

import java.io.PrintWriter;

/** Progress of long work as lines on stderr, at most one every two seconds. Not thread-safe. */
final class ProgressLines {

  private static final long EVERY_NANOS = 2_000_000_000L;

  private final PrintWriter err;
  private final String verb;
  private final long total;
  private long last = System.nanoTime();

  ProgressLines(PrintWriter err, String verb, long totalBytes) {
    this.err = err;
    this.verb = verb;
    this.total = totalBytes;
  }

  void at(long bytes) {
    long now = System.nanoTime();
    if (now - last >= EVERY_NANOS) {
      last = now;
      err.printf(
          "%s %d of %d MiB (%d %%)%n",
          verb, bytes >> 20, total >> 20, total == 0 ? 100 : Math.min(100, bytes * 100 / total));
      err.flush();
    }
  }
}
