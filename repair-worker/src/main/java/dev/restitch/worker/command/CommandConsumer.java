package dev.restitch.worker.command;

import dev.restitch.registry.RegistryException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls commands on a thread of its own. While too many are in progress, or wait for their second
 * look, it takes no more. An offset is committed once everything before it has been seen through.
 */
final class CommandConsumer implements AutoCloseable {

  /** Bounds of what is taken on; one poll's records can come on top. */
  record Limits(int active, int open) {}

  private static final Logger log = LoggerFactory.getLogger(CommandConsumer.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration COMMIT_TIMEOUT = Duration.ofSeconds(10);
  private static final long COMMIT_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final long REREAD_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Consumer<String, byte[]> consumer;
  private final String topic;
  private final CommandDesk desk;
  private final Limits limits;
  private final PartitionShare share;
  private final OffsetTracker offsets = new OffsetTracker();
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final Thread thread = new Thread(this::run, "restitch-repairs");
  private long committedNanos = System.nanoTime();

  /**
   * @param consumer closed when this ends
   * @param share told of this worker's part of the partitions
   */
  CommandConsumer(
      Consumer<String, byte[]> consumer,
      String topic,
      CommandDesk desk,
      Limits limits,
      PartitionShare share) {
    this.consumer = consumer;
    this.topic = topic;
    this.desk = desk;
    this.limits = limits;
    this.share = share;
  }

  void start() {
    thread.start();
  }

  /** Completes when polling has ended; fails if it ended by itself, with the reason. */
  CompletionStage<Void> ended() {
    return ended.minimalCompletionStage();
  }

  private void run() {
    try (consumer) {
      consumer.subscribe(List.of(topic), new Rebalance());
      while (stopping.getCount() > 0) {
        if (full()) {
          consumer.pause(consumer.assignment());
        } else {
          consumer.resume(consumer.paused());
        }
        takeAll(consumer.poll(POLL));
        commitNowAndThen();
      }
      drain();
      commit(offsets.due());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      ended.completeExceptionally(e);
    } finally {
      ended.complete(null);
    }
  }

  private boolean full() {
    return desk.active() >= limits.active() || offsets.open() >= limits.open();
  }

  private void takeAll(ConsumerRecords<String, byte[]> polled) throws InterruptedException {
    for (TopicPartition partition : polled.partitions()) {
      for (ConsumerRecord<String, byte[]> message : polled.records(partition)) {
        if (!take(partition, message)) {
          break;
        }
      }
    }
  }

  /** False if the record, and those behind it, must be read again. */
  private boolean take(TopicPartition partition, ConsumerRecord<String, byte[]> message)
      throws InterruptedException {
    long offset = message.offset();
    offsets.begin(partition, offset);
    try {
      desk.take(
          message, () -> offsets.holds(partition, offset), () -> offsets.end(partition, offset));
      return true;
    } catch (RegistryException e) {
      offsets.undo(partition, offset);
      consumer.seek(partition, offset);
      log.atWarn()
          .addKeyValue("partition", partition.partition())
          .addKeyValue("offset", offset)
          .addKeyValue("error", Faults.inWords(e))
          .log("the schema of a command cannot be had; reading it again");
      pauseOrStop();
      return false;
    }
  }

  private void pauseOrStop() throws InterruptedException {
    long deadline = System.nanoTime() + REREAD_NANOS;
    while (stopping.getCount() > 0 && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private void commitNowAndThen() {
    if (System.nanoTime() - committedNanos < COMMIT_EVERY_NANOS) {
      return;
    }
    committedNanos = System.nanoTime();
    Map<TopicPartition, OffsetAndMetadata> due = offsets.due();
    if (!due.isEmpty()) {
      consumer.commitAsync(
          due,
          (committed, failure) -> {
            if (failure == null) {
              offsets.committed(committed);
            } else {
              log.atWarn().addKeyValue("error", Faults.inWords(failure)).log("commit failed");
            }
          });
    }
  }

  private void commit(Map<TopicPartition, OffsetAndMetadata> due) {
    if (due.isEmpty()) {
      return;
    }
    try {
      consumer.commitSync(due, COMMIT_TIMEOUT);
      offsets.committed(due);
    } catch (KafkaException e) {
      log.atWarn()
          .addKeyValue("error", Faults.inWords(e))
          .log("commit failed; commands may come again");
    }
  }

  /** Waits, for some seconds, until Kafka has the outcome of what is in progress. */
  private void drain() throws InterruptedException {
    long deadline = System.nanoTime() + DRAIN_NANOS;
    while (desk.active() > 0 && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** Stops polling, lets what is in progress end, and commits. Idempotent; blocks some seconds. */
  @Override
  public void close() {
    stopping.countDown();
    try {
      thread.join(TimeUnit.NANOSECONDS.toMillis(DRAIN_NANOS) + COMMIT_TIMEOUT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Rebalance implements ConsumerRebalanceListener {

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      Map<TopicPartition, OffsetAndMetadata> due = offsets.due();
      due.keySet().retainAll(partitions);
      commit(due);
      offsets.forget(partitions);
      share.lost();
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      offsets.forget(partitions);
      share.lost();
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      share.has(consumer.assignment().size(), consumer.partitionsFor(topic).size());
      log.atInfo()
          .addKeyValue("partitions", consumer.assignment().size())
          .addKeyValue("share", share.getAsDouble())
          .log("partitions assigned");
    }
  }
}
