package dev.restitch.topology;

import dev.restitch.avro.Gap;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Gaps that the judge works through: every remembered instance with a key in the gap's store is
 * told of it, a bounded number a run. How far each gap is worked through is kept in a logged store,
 * so that a restart goes on where the last commit was. Not thread-safe.
 */
final class GapWork {

  private final KeyValueStore<String, byte[]> gaps;
  private final InstanceTable states;

  GapWork(KeyValueStore<String, byte[]> gaps, InstanceTable states) {
    this.gaps = gaps;
    this.states = states;
  }

  /** Takes a gap to work through. */
  void add(Gap gap, long at) {
    gaps.put(gap.getId(), encode(gap, at, ""));
  }

  /** What a gap still means: the judge's evidence, and the part of the table that is next. */
  record Open(String id, String store, long from, long to, String why, long at, String through) {}

  /** Works through at most so many instances; {@code tell} is called with each. */
  void run(int most, BiConsumer<Open, String> tell) {
    int left = most;
    for (Open gap : open()) {
      left -= workThrough(gap, left, tell);
      if (left <= 0) {
        return;
      }
    }
  }

  private List<Open> open() {
    List<Open> open = new ArrayList<>();
    try (KeyValueIterator<String, byte[]> all = gaps.all()) {
      while (all.hasNext()) {
        KeyValue<String, byte[]> entry = all.next();
        open.add(decode(entry.key, entry.value));
      }
    }
    return open;
  }

  /** Part by part of the table: the parts are the same ones after a restart. */
  private int workThrough(Open gap, int most, BiConsumer<Open, String> tell) {
    int part = next(gap.through());
    int told = 0;
    while (part < InstanceTable.PARTS && told < most) {
      List<String> instances = states.part(part++);
      instances.forEach(instance -> tell.accept(gap, instance));
      told += instances.size();
    }
    if (part < InstanceTable.PARTS) {
      gaps.put(gap.id(), encode(gap, Integer.toString(part)));
    } else {
      gaps.delete(gap.id());
    }
    return told;
  }

  /** From the beginning where an older version of this program left off. */
  private static int next(String through) {
    try {
      return through.isEmpty() ? 0 : Integer.parseInt(through);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static byte[] encode(Gap gap, long at, String through) {
    return encode(
        new Open(
            gap.getId(),
            gap.getStore(),
            gap.getFromMillis(),
            gap.getToMillis(),
            gap.getWhy(),
            at,
            through),
        through);
  }

  private static byte[] encode(Open gap, String through) {
    byte[] store = gap.store().getBytes(StandardCharsets.UTF_8);
    byte[] why = gap.why().getBytes(StandardCharsets.UTF_8);
    byte[] last = through.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(3 * 8 + 3 * 4 + store.length + why.length + last.length)
        .putLong(gap.from())
        .putLong(gap.to())
        .putLong(gap.at())
        .putInt(store.length)
        .put(store)
        .putInt(why.length)
        .put(why)
        .putInt(last.length)
        .put(last)
        .array();
  }

  private static Open decode(String id, byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value);
    long from = in.getLong();
    long to = in.getLong();
    long at = in.getLong();
    String store = text(in);
    String why = text(in);
    return new Open(id, store, from, to, why, at, text(in));
  }

  private static String text(ByteBuffer in) {
    byte[] bytes = new byte[in.getInt()];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
