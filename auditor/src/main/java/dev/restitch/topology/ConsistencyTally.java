package dev.restitch.topology;

import dev.restitch.judge.Consistency;
import dev.restitch.judge.Decision;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The consistency measure of one task, kept in a logged store under the relation's name, so that it
 * is exactly-once and survives any restart; shown on the board. Not thread-safe.
 */
final class ConsistencyTally {

  private final KeyValueStore<String, byte[]> store;
  private final ConsistencyBoard board;
  private final String task;
  private final Map<String, Consistency> counted = new HashMap<>();

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
      store.put(relation, encode(after));
      board.show(task, relation, after);
    }
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
