package dev.restitch.recorded;

import dev.restitch.config.RestitchConfig;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.serde.TopicDeserializer;
import dev.restitch.topic.Topic;
import dev.restitch.topic.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;

/**
 * The judge's topics as one stream in recorded time: append time, then topic, partition and offset,
 * so that the order is the same every time. Assigns its partitions itself and commits nothing. What
 * is in memory is bounded: a partition that is ahead of the others is not read on. Not thread-safe.
 */
public final class RecordedTopics {

  private static final List<Topic<? extends SpecificRecord>> JUDGED =
      List.of(Topics.INTENTS, Topics.OBSERVATIONS, Topics.SNAPSHOTS, Topics.GAPS, Topics.OUTCOMES);
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration POLL = Duration.ofMillis(100);

  private final Map<String, Integer> rank = new HashMap<>();
  private final Map<String, TopicDeserializer<? extends SpecificRecord>> readers = new HashMap<>();
  private final Consumer<String, byte[]> consumer;
  private final Window window;
  private final Map<TopicPartition, Source> sources = new HashMap<>();
  private final PriorityQueue<Source> heads =
      new PriorityQueue<>(Comparator.comparing(s -> s.head));
  private final Set<TopicPartition> empty = new HashSet<>();
  private final List<String> lost = new ArrayList<>();
  private long read;
  private long unreadable;

  /** Takes records in order. */
  public interface Listener {

    /** Takes one, with its append time in epoch milliseconds. */
    void take(SpecificRecord record, long at) throws java.io.IOException;
  }

  private record Place(long at, int topic, int partition, long offset)
      implements Comparable<Place> {

    private static final Comparator<Place> ORDER =
        Comparator.comparingLong(Place::at)
            .thenComparingInt(Place::topic)
            .thenComparingInt(Place::partition)
            .thenComparingLong(Place::offset);

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }
  }

  /** One partition: what is fetched of it, and where it ends. */
  private static final class Source {
    private final TopicPartition partition;
    private final long end;
    private final Deque<ConsumerRecord<String, byte[]>> fetched = new ArrayDeque<>();
    private Place head;
    private boolean ended;

    private Source(TopicPartition partition, long end) {
      this.partition = partition;
      this.end = end;
    }
  }

  /**
   * Topics that are not read yet.
   *
   * @param consumer without a group; belongs to the caller
   */
  public RecordedTopics(
      RestitchConfig config,
      SchemaRegistry registry,
      Consumer<String, byte[]> consumer,
      Window window) {
    this.consumer = consumer;
    this.window = window;
    for (Topic<? extends SpecificRecord> topic : JUDGED) {
      rank.put(topic.name(config.topics()), rank.size());
      readers.put(topic.name(config.topics()), new TopicDeserializer<>(registry, topic));
    }
  }

  /**
   * Reads the window, up to what was written before this call.
   *
   * @throws KafkaException if the brokers do not answer
   */
  public void read(Listener listener) throws java.io.IOException, InterruptedException {
    open();
    long began = System.nanoTime();
    while (fill()) {
      Source source = heads.poll();
      ConsumerRecord<String, byte[]> record = source.fetched.poll();
      source.head = null;
      take(record, listener);
      next(source);
      pace(began);
    }
  }

  /** Records that the listener had, and those that were not wanted. */
  public long records() {
    return read;
  }

  /** Records that could not be read. */
  public long unreadable() {
    return unreadable;
  }

  /** Sentences that say what retention has removed of the window. */
  public List<String> lost() {
    return List.copyOf(lost);
  }

  private void open() {
    List<TopicPartition> all = new ArrayList<>();
    for (String topic : rank.keySet().stream().sorted(Comparator.comparing(rank::get)).toList()) {
      consumer
          .partitionsFor(topic, PATIENCE)
          .forEach(p -> all.add(new TopicPartition(topic, p.partition())));
    }
    consumer.assign(all);
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(all, PATIENCE);
    Map<TopicPartition, Long> ends = consumer.endOffsets(all, PATIENCE);
    Map<TopicPartition, Long> times = new HashMap<>();
    all.forEach(p -> times.put(p, Math.max(0, window.fromMillis())));
    Map<TopicPartition, OffsetAndTimestamp> starts = consumer.offsetsForTimes(times, PATIENCE);
    for (TopicPartition partition : all) {
      OffsetAndTimestamp start = starts.get(partition);
      Source source = new Source(partition, ends.get(partition));
      sources.put(partition, source);
      long from = start == null ? source.end : start.offset();
      source.ended = from >= source.end;
      consumer.seek(partition, from);
      if (source.ended) {
        consumer.pause(List.of(partition));
      } else {
        empty.add(partition);
      }
      if (begins.get(partition) > 0 && from <= begins.get(partition)) {
        lost.add(
            partition
                + " begins at "
                + (start == null ? "its end" : Instant.ofEpochMilli(start.timestamp()))
                + ": retention has removed what was recorded before");
      }
    }
  }

  /** Fetches until every partition shows its next record or has ended; false if all have ended. */
  private boolean fill() {
    long patience = System.nanoTime() + PATIENCE.toNanos();
    while (!empty.isEmpty()) {
      boolean any = false;
      for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
        any = true;
        sources.get(new TopicPartition(record.topic(), record.partition())).fetched.add(record);
      }
      for (TopicPartition partition : List.copyOf(empty)) {
        Source source = sources.get(partition);
        boolean through = consumer.position(partition, PATIENCE) >= source.end;
        any |= through;
        if (!source.fetched.isEmpty() || through) {
          empty.remove(partition);
          consumer.pause(List.of(partition));
          source.ended = through;
          show(source);
        }
      }
      if (!any && System.nanoTime() - patience > 0) {
        throw new KafkaException("the brokers do not answer; read so far: " + read + " records");
      }
    }
    return !heads.isEmpty();
  }

  private void next(Source source) {
    if (source.fetched.isEmpty() && !source.ended) {
      empty.add(source.partition);
      consumer.resume(List.of(source.partition));
    } else {
      show(source);
    }
  }

  private void show(Source source) {
    ConsumerRecord<String, byte[]> record = source.fetched.peek();
    if (record == null) {
      return;
    }
    if (record.timestamp() > window.toMillis() || record.offset() >= source.end) {
      source.fetched.clear();
      source.ended = true;
      return;
    }
    source.head =
        new Place(
            record.timestamp(), rank.get(record.topic()), record.partition(), record.offset());
    heads.add(source);
  }

  private void take(ConsumerRecord<String, byte[]> record, Listener listener)
      throws java.io.IOException {
    read++;
    TopicDeserializer<? extends SpecificRecord> reader = readers.get(record.topic());
    boolean gap = rank.get(record.topic()) == JUDGED.indexOf(Topics.GAPS);
    if (!gap && (record.key() == null || !window.wanted().test(record.key()))) {
      return;
    }
    try {
      SpecificRecord value = reader.deserialize(record.topic(), record.value());
      if (value != null) {
        listener.take(value, record.timestamp());
      }
    } catch (SerializationException e) {
      unreadable++;
    }
  }

  private void pace(long began) throws InterruptedException {
    if (read % 100 == 0) {
      long due = read * TimeUnit.SECONDS.toNanos(1) / window.recordsPerSecond();
      long ahead = due - (System.nanoTime() - began);
      if (ahead > 0) {
        TimeUnit.NANOSECONDS.sleep(ahead);
      }
    }
  }
}
