package dev.restitch.sandbox.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Shows how a run goes: on a terminal a few lines that are drawn again and again, elsewhere the
 * first of them every few seconds. Thread-safe.
 */
final class LiveView implements AutoCloseable {

  private static final Duration REDRAW = Duration.ofMillis(250);
  private static final Duration LINE_EVERY = Duration.ofSeconds(5);
  private static final String CLEAR_TO_END = "\u001b[J";

  private final PrintStream out;
  private final boolean terminal;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "live-view");
            thread.setDaemon(true);
            return thread;
          });
  private Supplier<List<String>> lines = List::of;
  private int drawn;

  /**
   * @param terminal draw with control sequences
   */
  LiveView(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Begins to show these lines, asked for each time; the first must make sense alone. */
  synchronized void show(Supplier<List<String>> lines) {
    this.lines = lines;
    long millis = (terminal ? REDRAW : LINE_EVERY).toMillis();
    var unused = timer.scheduleAtFixedRate(this::draw, millis, millis, TimeUnit.MILLISECONDS);
  }

  /** Prints one line that stays, above the moving ones. */
  synchronized void say(String line) {
    erase();
    out.println(line);
    out.flush();
  }

  private synchronized void draw() {
    List<String> now = lines.get();
    if (now.isEmpty()) {
      return;
    }
    if (!terminal) {
      out.println(now.get(0));
      return;
    }
    erase();
    now.forEach(out::println);
    drawn = now.size();
    out.flush();
  }

  private void erase() {
    if (drawn > 0) {
      out.print("\u001b[" + drawn + "A\r" + CLEAR_TO_END);
      drawn = 0;
    }
  }

  /** Shows nothing more; what moved is erased. */
  @Override
  public void close() {
    timer.shutdownNow();
    synchronized (this) {
      lines = List::of;
      erase();
      out.flush();
    }
  }
}
