package dev.restitch.worker.command;

import dev.restitch.avro.RepairCommand;
import dev.restitch.avro.RepairOutcome;
import dev.restitch.kafka.DeadLetters;
import dev.restitch.kafka.PoisonRecord;
import dev.restitch.stamp.Stamp;
import dev.restitch.topic.Topics;
import dev.restitch.worker.policy.Repair;
import dev.restitch.writer.io.RecordSender;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says what became of commands, and puts aside what could not be used. Goes on trying until Kafka
 * has it: an offset is committed only afterwards. Thread-safe; never blocks.
 */
final class Reports {

  private static final Logger log = LoggerFactory.getLogger(Reports.class);

  private final RecordSender outcomes;
  private final DeadLetters letters;
  private final Executor blocking;
  private final Retry retry;
  private final String worker;
  private final Clock clock;

  /**
   * @param blocking runs what may block, bounded
   */
  Reports(
      RecordSender outcomes,
      DeadLetters letters,
      Executor blocking,
      Retry retry,
      String worker,
      Clock clock) {
    this.outcomes = outcomes;
    this.letters = letters;
    this.blocking = blocking;
    this.retry = retry;
    this.worker = worker;
    this.clock = clock;
  }

  /** Completes when Kafka has the outcome. */
  CompletionStage<Void> outcome(RepairCommand command, Ending ending) {
    Repair repair = ending.repair();
    Stamp written = repair.written();
    RepairOutcome outcome =
        RepairOutcome.newBuilder()
            .setCommand(command.getId())
            .setIncident(command.getIncident())
            .setInstance(command.getInstance())
            .setAttempt(command.getAttempt())
            .setOutcome(repair.outcome())
            .setDetail(repair.detail())
            .setToken(
                written == null || written.token().isEmpty() ? null : written.token().toBuffer())
            .setVersion(written == null ? null : written.version())
            .setWorker(worker)
            .setAtMillis(clock.millis())
            .setHold(ending.hold() == null ? null : ending.hold().reason().label())
            .build();
    return stubbornly(
        "outcome was not acknowledged",
        () ->
            outcomes
                .send(Topics.OUTCOMES, command.getInstance(), outcome)
                .thenApply(acknowledged -> null));
  }

  /** Completes when the dead-letter topic has the record. */
  CompletionStage<Void> putAside(PoisonRecord record, Throwable error) {
    return stubbornly(
        "dead letter was not acknowledged",
        () ->
            CompletableFuture.completedFuture(record)
                .thenComposeAsync(poison -> letters.send(poison, error), blocking));
  }

  private CompletionStage<Void> stubbornly(String message, Supplier<CompletionStage<Void>> send) {
    return retry.until(
        Long.MAX_VALUE,
        failure -> true,
        failure -> log.atWarn().addKeyValue("error", Faults.inWords(failure)).log(message),
        send);
  }
}
