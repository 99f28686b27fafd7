package dev.restitch.topology;

import dev.restitch.judge.Consistency;
import dev.restitch.judge.Decision;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The consistency measure of one task, kept in a logged store under the relation's name, so that it
 * is exactly-once and survives any restart: what has changed is stored before each commit. Shown on
 * the board. Not thread-safe.
 */
final class ConsistencyTally {

  private final KeyValueStore<String, byte[]> store;
  private final ConsistencyBoard board;
  private final String task;
  private final Map<String, Consistency> counted = new HashMap<>();
  private final Set<String> changed = new HashSet<>();

  ConsistencyTally(KeyValueStore<String, byte[]> store, ConsistencyBoard board, String task) {
    this.store = store;
    this.board = board;
    this.task = task;
    try (KeyValueIterator<String, byte[]> all = store.all()) {
      while (all.hasNext()) {
        KeyValue<String, byte[]> entry = all.next();
        counted.put(entry.key, decode(entry.value));
        board.show(task, entry.key, counted.get(entry.key));
      }
    }
  }

  /** Takes a decision into account, if it is part of the measure. */
  void count(String relation, Decision decision) {
    Consistency before = counted.getOrDefault(relation, Consistency.NONE);
    Consistency after = before.plus(decision);
    if (after != before) {
      counted.put(relation, after);
      changed.add(relation);
    }
  }

  /** Shows what has changed since the last time; called between commits. */
  void show() {
    changed.forEach(relation -> board.show(task, relation, counted.get(relation)));
  }

  /** Stores what has changed; called before each commit. */
  void store() {
    for (String relation : changed) {
      store.put(relation, encode(counted.get(relation)));
      board.show(task, relation, counted.get(relation));
    }
    changed.clear();
  }

  /** Takes the task's share off the board. */
  void close() {
    board.remove(task);
  }

  private static byte[] encode(Consistency c) {
    ByteBuffer out = ByteBuffer.allocate(Long.BYTES * (1 + Consistency.LIMITS.size()));
    out.putLong(c.sample());
    for (int i = 0; i < Consistency.LIMITS.size(); i++) {
      out.putLong(c.wholeWithin(i));
    }
    return out.array();
  }

  private static Consistency decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    long sample = in.getLong();
    long[] whole = new long[Consistency.LIMITS.size()];
    for (int i = 0; i < whole.length; i++) {
      whole[i] = in.getLong();
    }
    return Consistency.of(sample, whole);
  }
}
