package dev.restitch.sandbox.history;

import java.io.IOException;
import java.io.Writer;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Puts lines into the order of their time and writes those that are due. Not thread-safe. */
final class Timeline {

  private record Line(long at, long number, String text) {}

  private final PriorityQueue<Line> waiting =
      new PriorityQueue<>(Comparator.comparingLong(Line::at).thenComparingLong(Line::number));
  private final Writer out;
  private long number;
  private long latest;

  Timeline(Writer out) {
    this.out = out;
  }

  /** Takes a line; {@code at} is its own recorded time, epoch milliseconds. */
  void add(long at, String text) {
    waiting.add(new Line(at, number++, text));
    latest = Math.max(latest, at);
  }

  /** Writes what was recorded before this time. */
  void writeBefore(long at) throws IOException {
    while (!waiting.isEmpty() && waiting.peek().at() < at) {
      out.write(waiting.poll().text());
      out.write('\n');
    }
  }

  /** Writes all that waits. */
  void writeAll() throws IOException {
    writeBefore(Long.MAX_VALUE);
  }

  /** The greatest time taken so far. */
  long latest() {
    return latest;
  }

  /** How many lines were taken. */
  long lines() {
    return number;
  }
}
