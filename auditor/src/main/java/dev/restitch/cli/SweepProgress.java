package dev.restitch.cli;

import dev.restitch.sweep.SweepCounters;
import dev.restitch.sweep.SweepOnce;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Shows how a sweep gets on: a bar on a terminal, elsewhere a line now and then. */
final class SweepProgress implements AutoCloseable {

  private static final int BAR = 30;
  private static final long REDRAW_MILLIS = 250;
  private static final long LINE_MILLIS = 2_000;
  private static final String ERASE = "\r\u001b[K";

  private final PrintWriter err;
  private final SweepOnce sweep;
  private final boolean terminal;
  private final long beganNanos = System.nanoTime();
  private final Thread thread = new Thread(this::run, "restitch-progress");
  private volatile boolean closed;

  /**
   * Shows nothing before {@link #start}.
   *
   * @param terminal true: control sequences are understood
   */
  SweepProgress(PrintWriter err, SweepOnce sweep, boolean terminal) {
    this.err = err;
    this.sweep = sweep;
    this.terminal = terminal;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!closed) {
        TimeUnit.MILLISECONDS.sleep(terminal ? REDRAW_MILLIS : LINE_MILLIS);
        show();
      }
    } catch (InterruptedException e) {
      // closing
    }
  }

  private synchronized void show() {
    if (closed) {
      return;
    }
    double seconds = (System.nanoTime() - beganNanos) / 1e9;
    String line = line(sweep.counters(), sweep.keys(), seconds, terminal);
    err.print(terminal ? ERASE + line : line + System.lineSeparator());
    err.flush();
  }

  /** What is shown after so many seconds. */
  static String line(SweepCounters now, long keys, double seconds, boolean bar) {
    double share = keys == 0 ? 0 : Math.min(1, (double) now.scanned() / keys);
    double rate = now.scanned() / Math.max(seconds, 1e-3);
    String text =
        String.format(
            Locale.ROOT,
            "%d of %d keys (%d %%), %.0f/s, suspicious %d, %s",
            now.scanned(),
            keys,
            Math.round(100 * share),
            rate,
            now.findings(),
            left(now.scanned(), keys, rate));
    int full = (int) (share * BAR);
    return bar ? "[" + "#".repeat(full) + ".".repeat(BAR - full) + "] " + text : "swept " + text;
  }

  private static String left(long scanned, long keys, double rate) {
    if (scanned == 0) {
      return "ETA unknown";
    }
    if (scanned >= keys) {
      return "looking again";
    }
    Duration left = Duration.ofSeconds((long) Math.ceil((keys - scanned) / rate));
    return String.format(
        Locale.ROOT,
        "ETA %d:%02d:%02d",
        left.toHours(),
        left.toMinutesPart(),
        left.toSecondsPart());
  }

  @Override
  public synchronized void close() {
    closed = true;
    thread.interrupt();
    if (terminal) {
      err.print(ERASE);
      err.flush();
    }
  }
}
