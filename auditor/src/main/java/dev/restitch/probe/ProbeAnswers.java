package dev.restitch.probe;

import dev.restitch.avro.ProbeRequest;
import dev.restitch.avro.Snapshot;
import dev.restitch.kafka.DeadLetters;
import dev.restitch.kafka.PoisonRecord;
import dev.restitch.serde.TopicDeserializer;
import dev.restitch.watch.Outbox;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;

/** Answers one question: reads it, collects twice, publishes the snapshot. */
final class ProbeAnswers {

  private final TopicDeserializer<ProbeRequest> questions;
  private final DoubleCollect collect;
  private final Outbox outbox;
  private final DeadLetters deadLetters;
  private final String snapshots;
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong deadLettered = new AtomicLong();
  private final AtomicLong unstable = new AtomicLong();

  ProbeAnswers(
      TopicDeserializer<ProbeRequest> questions,
      DoubleCollect collect,
      Outbox outbox,
      DeadLetters deadLetters,
      String snapshots) {
    this.questions = questions;
    this.collect = collect;
    this.outbox = outbox;
    this.deadLetters = deadLetters;
    this.snapshots = snapshots;
  }

  /**
   * Completes when the brokers have the snapshot, or the dead letter; exceptionally where it is
   * worth trying again. May wait for the registry or the dead letters' producer, so it is called on
   * a thread that may.
   */
  CompletableFuture<Void> answer(ConsumerRecord<String, byte[]> record) {
    ProbeRequest request;
    try {
      request = questions.deserialize(record.topic(), record.value());
      if (request == null) {
        throw new SerializationException("a question is not empty");
      }
    } catch (SerializationException e) {
      return putAside(record, e);
    }
    return collect.answer(request).thenCompose(this::publish);
  }

  private CompletableFuture<Void> publish(Snapshot snapshot) {
    return outbox
        .send(snapshots, snapshot.getInstance(), snapshot)
        .thenRun(
            () -> {
              answered.incrementAndGet();
              if (!snapshot.getStable()) {
                unstable.incrementAndGet();
              }
            });
  }

  /** Puts a question aside that can never be answered. May block. */
  CompletableFuture<Void> putAside(ConsumerRecord<String, byte[]> record, Throwable why) {
    return deadLetters.send(PoisonRecord.of(record), why).thenRun(deadLettered::incrementAndGet);
  }

  /** True if the answer itself can never be published. */
  static boolean hopeless(Throwable failure) {
    Throwable at = failure instanceof CompletionException ? failure.getCause() : failure;
    return at instanceof SerializationException || at instanceof RecordTooLargeException;
  }

  ProberCounters counters(long received, long inFlight) {
    return new ProberCounters(
        received,
        answered.get(),
        deadLettered.get(),
        inFlight,
        unstable.get(),
        collect.undeclared());
  }
}
