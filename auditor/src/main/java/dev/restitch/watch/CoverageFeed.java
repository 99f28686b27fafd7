package dev.restitch.watch;

import dev.restitch.avro.Coverage;
import dev.restitch.feed.TopicTail;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.serde.TopicDeserializer;
import dev.restitch.topic.Topics;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the coverage topic from its beginning and on: the last mark of every node. A mark holds
 * whoever wrote it, as it stands for what the brokers had before it. Thread-safe.
 */
public final class CoverageFeed implements AutoCloseable {

  /** A mark is written every second; nodes without one for as long are watched by nobody. */
  static final Duration PRESENT = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(CoverageFeed.class);

  private final String topic;
  private final TopicDeserializer<Coverage> values;
  private final Clock clock;
  private final TopicTail tail;
  private final Map<String, Mark> marks = new ConcurrentHashMap<>();

  private record Mark(Coverage coverage, long atMillis) {}

  /**
   * A feed that reads nothing before {@link #start}.
   *
   * @param open makes a consumer without a group; closed by the feed
   * @param topic the coverage topic's name
   */
  public CoverageFeed(
      Supplier<Consumer<String, byte[]>> open, String topic, SchemaRegistry registry, Clock clock) {
    this.topic = topic;
    this.values = new TopicDeserializer<>(registry, Topics.COVERAGE);
    this.clock = clock;
    this.tail =
        new TopicTail(open, consumer -> TopicTail.every(consumer, topic), this::take, "coverage");
  }

  /** Begins to read. */
  public void start() {
    tail.start();
  }

  /**
   * Completes with the last mark of a node when all that was written before this call is read;
   * exceptionally if the brokers do not answer in time.
   */
  CompletableFuture<Optional<Coverage>> lastMark(String name) {
    return tail.readToEnd()
        .thenApply(done -> Optional.ofNullable(marks.get(name)).map(Mark::coverage));
  }

  /** The last mark of a node, if it is recent by this process's clock. */
  Optional<Coverage> present(String name) {
    long oldest = clock.millis() - PRESENT.toMillis();
    return Optional.ofNullable(marks.get(name))
        .filter(mark -> mark.atMillis() >= oldest)
        .map(Mark::coverage);
  }

  private void take(ConsumerRecord<String, byte[]> record) {
    try {
      Coverage coverage = values.deserialize(topic, record.value());
      if (coverage == null) {
        marks.remove(record.key());
      } else {
        marks.put(record.key(), new Mark(coverage, record.timestamp()));
      }
    } catch (SerializationException e) {
      LOG.atWarn()
          .addKeyValue("partition", record.partition())
          .addKeyValue("offset", record.offset())
          .addKeyValue("error", e.getMessage())
          .log("a coverage mark cannot be read; an older one stands");
    }
  }

  @Override
  public void close() {
    tail.close();
  }
}
