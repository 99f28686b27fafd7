package dev.restitch.sweep;

import dev.restitch.avro.Gap;
import dev.restitch.avro.Sweep;
import dev.restitch.config.RestitchConfig;
import dev.restitch.feed.TopicTail;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.serde.TopicDeserializer;
import dev.restitch.topic.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a {@link SweepBook} as the topics tell it. Of the gaps, which have a copy in every
 * partition, only the first is read. Thread-safe.
 */
public final class SweepFeed implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SweepFeed.class);

  private final Set<String> stores;
  private final TopicPartition gaps;
  private final String sweeps;
  private final String owner;
  private final SweepBook book;
  private final TopicDeserializer<Gap> gapValues;
  private final TopicDeserializer<Sweep> sweepValues;
  private final TopicTail tail;

  /**
   * A feed that reads nothing before {@link #start}.
   *
   * @param open makes a consumer without a group; closed by the feed
   * @param owner this auditor, whose own marks are in the book before they are in the topic
   */
  public SweepFeed(
      Supplier<Consumer<String, byte[]>> open,
      RestitchConfig config,
      SchemaRegistry registry,
      String owner,
      SweepBook book) {
    this.stores = Sweeper.storesWithSides(config);
    this.gaps = new TopicPartition(Topics.GAPS.name(config.topics()), 0);
    this.sweeps = Topics.SWEEPS.name(config.topics());
    this.owner = owner;
    this.book = book;
    this.gapValues = new TopicDeserializer<>(registry, Topics.GAPS);
    this.sweepValues = new TopicDeserializer<>(registry, Topics.SWEEPS);
    this.tail =
        new TopicTail(
            open,
            consumer -> {
              List<TopicPartition> partitions = new ArrayList<>(TopicTail.every(consumer, sweeps));
              partitions.add(gaps);
              return partitions;
            },
            new TopicTail.Listener() {
              @Override
              public void take(ConsumerRecord<String, byte[]> record) {
                SweepFeed.this.take(record);
              }

              @Override
              public void readTo(TopicPartition partition, long offset) {
                if (partition.equals(gaps)) {
                  book.gapsRead(offset - 1);
                }
              }
            },
            "sweep");
  }

  /** Begins to read. */
  public void start() {
    tail.start();
  }

  /** Completes when the book holds all that was written before this call; may fail. */
  public CompletableFuture<Void> readToEnd() {
    return tail.readToEnd();
  }

  private void take(ConsumerRecord<String, byte[]> record) {
    try {
      if (record.topic().equals(gaps.topic())) {
        Gap gap = gapValues.deserialize(record.topic(), record.value());
        if (gap != null && stores.contains(gap.getStore())) {
          book.gap(gap, record.offset(), record.timestamp());
        }
      } else {
        Sweep mark = sweepValues.deserialize(record.topic(), record.value());
        if (mark != null && !mark.getOwner().equals(owner)) {
          book.mark(mark);
        }
      }
    } catch (SerializationException e) {
      LOG.atWarn()
          .addKeyValue("topic", record.topic())
          .addKeyValue("offset", record.offset())
          .addKeyValue("error", e.getMessage())
          .log("a gap or sweep mark cannot be read; the judge counts such gaps, and no sweep does");
    }
  }

  @Override
  public void close() {
    tail.close();
  }
}
