package dev.restitch.replay;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads a history ahead of its replay, no further than the patience of a probe, and remembers which
 * instances a probe snapshot is coming for. This is how a replay knows at the ask whether an answer
 * was recorded.
 */
final class UpcomingSnapshots implements AutoCloseable {

  private record Coming(long line, long at) {}

  private final HistoryLines lines;
  private final HistoryDecoder decoder;
  private final boolean lenient;
  private final Map<String, Deque<Coming>> coming = new HashMap<>();
  private long now = -1;
  private boolean ended;

  UpcomingSnapshots(Path history, HistoryDecoder decoder, boolean lenient) throws IOException {
    this.lines = new HistoryLines(history);
    this.decoder = decoder;
    this.lenient = lenient;
  }

  /** True if a probe snapshot of the instance stands behind this line, recorded until then. */
  boolean answers(String instance, long afterLine, long until) throws IOException {
    readUntil(until);
    Deque<Coming> queue = coming.get(instance);
    while (queue != null && !queue.isEmpty() && queue.peek().line() <= afterLine) {
      queue.poll();
    }
    if (queue != null && queue.isEmpty()) {
      coming.remove(instance);
      return false;
    }
    return queue != null && queue.peek().at() <= until;
  }

  /** The replay has come to this line; what lies behind it is forgotten. */
  void passed(String instance, long at) {
    Deque<Coming> queue = coming.get(instance);
    if (queue != null) {
      queue.removeIf(c -> c.line() <= at);
      if (queue.isEmpty()) {
        coming.remove(instance);
      }
    }
  }

  private void readUntil(long until) throws IOException {
    while (!ended && now <= until) {
      try {
        String text = lines.next();
        if (text == null) {
          ended = true;
        } else if (!text.isBlank()) {
          read(text);
        }
      } catch (HistoryException e) {
        // the replay itself will come to this line, and say so; lenient, it goes on behind it
        ended = !lenient;
      }
    }
  }

  /** A line that is to be skipped must not move time, so lenient all of it is understood. */
  private void read(String text) {
    if (!lenient && !text.contains("\"snapshot\"")) {
      now = Math.max(now, HistoryTime.of(lines.number(), text));
      return;
    }
    HistoryDecoder.Line decoded = decoder.decode(lines.number(), text);
    now = Math.max(now, decoded.at());
    if (decoded.kind() == HistoryDecoder.Kind.SNAPSHOT) {
      String instance = decoded.instances().iterator().next();
      coming
          .computeIfAbsent(instance, i -> new ArrayDeque<>(2))
          .add(new Coming(decoded.number(), decoded.at()));
    }
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
