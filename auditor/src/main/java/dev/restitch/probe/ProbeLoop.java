package dev.restitch.probe;

import dev.restitch.read.LastStep;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads questions with one consumer, has many of them answered at once, and commits only what is
 * answered. Owns its consumer and runs on a thread of its own.
 */
final class ProbeLoop implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(ProbeLoop.class);
  private static final Duration POLL = Duration.ofMillis(10);
  private static final int IN_FLIGHT = 512;
  private static final long COMMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Consumer<String, byte[]> consumer;
  private final String topic;
  private final ProbeAnswers answers;
  private final OffsetLedger ledger = new OffsetLedger();
  private final ConcurrentLinkedQueue<Retry> retries = new ConcurrentLinkedQueue<>();
  private final AtomicLong received = new AtomicLong();
  private boolean paused;
  private volatile boolean closed;

  ProbeLoop(Consumer<String, byte[]> consumer, String topic, ProbeAnswers answers) {
    this.consumer = consumer;
    this.topic = topic;
    this.answers = answers;
  }

  private record Retry(ConsumerRecord<String, byte[]> record, Throwable hopeless, long atNanos) {}

  long received() {
    return received.get();
  }

  long inFlight() {
    return ledger.open();
  }

  void close() {
    closed = true;
  }

  @Override
  public void run() {
    try {
      consumer.subscribe(List.of(topic), new Rebalance());
      long commitAt = System.nanoTime() + COMMIT_NANOS;
      while (!closed) {
        read();
        if (System.nanoTime() - commitAt >= 0) {
          commit();
          commitAt = System.nanoTime() + COMMIT_NANOS;
        }
      }
      drain();
    } catch (WakeupException | InterruptException e) {
      LOG.atDebug().log("prober interrupted");
    } finally {
      consumer.close();
    }
  }

  private void read() {
    try {
      for (ConsumerRecord<String, byte[]> question : consumer.poll(POLL)) {
        received.incrementAndGet();
        ledger.begin(partition(question), question.offset());
        answer(question);
      }
    } catch (WakeupException | InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      LOG.atWarn()
          .addKeyValue("topic", topic)
          .addKeyValue("reason", e.getMessage())
          .log("cannot read questions, trying again");
      LockSupport.parkNanos(RETRY_NANOS);
    }
    again();
    throttle();
  }

  private void answer(ConsumerRecord<String, byte[]> question) {
    try {
      settle(question, answers.answer(question));
    } catch (RuntimeException e) {
      retryLater(question, e);
    }
  }

  private void settle(ConsumerRecord<String, byte[]> question, CompletableFuture<Void> answered) {
    LastStep.of(
        answered,
        (done, failure) -> {
          if (failure == null) {
            ledger.done(partition(question), question.offset());
          } else {
            retryLater(question, failure);
          }
        });
  }

  private void retryLater(ConsumerRecord<String, byte[]> question, Throwable failure) {
    LOG.atWarn()
        .addKeyValue("topic", topic)
        .addKeyValue("partition", question.partition())
        .addKeyValue("offset", question.offset())
        .addKeyValue("reason", failure.toString())
        .log("a question is not answered yet, trying again");
    retries.add(
        new Retry(
            question,
            ProbeAnswers.hopeless(failure) ? failure : null,
            System.nanoTime() + RETRY_NANOS));
  }

  private void again() {
    for (Retry due = retries.peek();
        due != null && System.nanoTime() - due.atNanos() >= 0;
        due = retries.peek()) {
      retries.remove();
      if (due.hopeless() == null) {
        answer(due.record());
      } else {
        settle(due.record(), answers.putAside(due.record(), due.hopeless()));
      }
    }
  }

  /** Reads no further while as many are being answered as may be at once. */
  private void throttle() {
    int open = ledger.open();
    if (!paused && open >= IN_FLIGHT) {
      consumer.pause(consumer.assignment());
      paused = true;
    } else if (paused && open <= IN_FLIGHT / 2) {
      consumer.resume(consumer.paused());
      paused = false;
    }
  }

  private void commit() {
    Map<TopicPartition, OffsetAndMetadata> due = ledger.due();
    if (!due.isEmpty()) {
      consumer.commitAsync(
          due,
          (offsets, failure) -> {
            if (failure == null) {
              ledger.committed(offsets);
            } else {
              LOG.atDebug()
                  .addKeyValue("reason", failure.getMessage())
                  .log("offsets not committed, trying again");
            }
          });
    }
  }

  private void commitNow() {
    Map<TopicPartition, OffsetAndMetadata> due = ledger.due();
    if (due.isEmpty()) {
      return;
    }
    try {
      consumer.commitSync(due);
      ledger.committed(due);
    } catch (KafkaException e) {
      LOG.atWarn()
          .addKeyValue("reason", e.getMessage())
          .log("offsets not committed; questions will be answered twice");
    }
  }

  private void drain() {
    long patience = System.nanoTime() + DRAIN_NANOS;
    while (ledger.open() > retries.size() && System.nanoTime() - patience < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
    commitNow();
  }

  private static TopicPartition partition(ConsumerRecord<String, byte[]> record) {
    return new TopicPartition(record.topic(), record.partition());
  }

  private final class Rebalance implements ConsumerRebalanceListener {

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      commitNow();
      ledger.forget(partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      ledger.forget(partitions);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      if (paused) {
        consumer.pause(partitions);
      }
    }
  }
}
