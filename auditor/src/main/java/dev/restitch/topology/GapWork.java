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
  private final KeyValueStore<String, byte[]> states;

  GapWork(KeyValueStore<String, byte[]> gaps, KeyValueStore<String, byte[]> states) {
    this.gaps = gaps;
    this.states = states;
  }

  /** Takes a gap to work through. */
  void add(Gap gap, long at) {
    gaps.put(gap.getId(), encode(gap, at, ""));
  }

  /** What a gap still means: the judge's evidence, and the instance worked through last. */
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

  private int workThrough(Open gap, int most, BiConsumer<Open, String> tell) {
    List<String> instances = new ArrayList<>();
    boolean more = false;
    String from = gap.through().isEmpty() ? null : gap.through() + '\0';
    try (KeyValueIterator<String, byte[]> range = states.range(from, null)) {
      while (range.hasNext()) {
        if (instances.size() == most) {
          more = true;
          break;
        }
        instances.add(range.next().key);
      }
    }
    instances.forEach(instance -> tell.accept(gap, instance));
    if (more) {
      String through = instances.get(instances.size() - 1);
      gaps.put(gap.id(), encode(gap, through));
    } else {
      gaps.delete(gap.id());
    }
    return instances.size();
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
