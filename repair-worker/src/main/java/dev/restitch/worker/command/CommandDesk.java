package dev.restitch.worker.command;

import dev.restitch.avro.Outcome;
import dev.restitch.avro.RepairCommand;
import dev.restitch.kafka.PoisonRecord;
import dev.restitch.worker.guard.HandedOverException;
import dev.restitch.worker.policy.InvalidCommandException;
import dev.restitch.worker.policy.Repair;
import dev.restitch.writer.io.Stages;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees each record through: to a command, its outcome, and its second look; or to the dead letters.
 * Instances run beside each other, the commands of one instance one after the other. Thread-safe;
 * only {@link #take} may block, for a schema that is not known yet.
 */
final class CommandDesk {

  private static final Logger log = LoggerFactory.getLogger(CommandDesk.class);

  private final Deserializer<SpecificRecord> records;
  private final CommandRun run;
  private final Lanes lanes;
  private final Reports reports;
  private final OperationsLog operations;
  private final Function<Duration, Executor> after;
  private final OutcomeCounts counts;
  private final AtomicInteger active = new AtomicInteger();

  CommandDesk(
      Deserializer<SpecificRecord> records,
      CommandRun run,
      Lanes lanes,
      Reports reports,
      OperationsLog operations,
      Function<Duration, Executor> after,
      OutcomeCounts counts) {
    this.records = records;
    this.run = run;
    this.lanes = lanes;
    this.reports = reports;
    this.operations = operations;
    this.after = after;
    this.counts = counts;
  }

  /** Records taken whose outcome, or dead letter, Kafka does not have yet. */
  int active() {
    return active.get();
  }

  /**
   * Takes a record.
   *
   * @param owned false once the record belongs to another worker
   * @param finished called once when all that it asks for has been done
   * @throws dev.restitch.registry.RegistryException if its schema cannot be had now; nothing was
   *     taken
   */
  void take(ConsumerRecord<String, byte[]> message, BooleanSupplier owned, Runnable finished) {
    SpecificRecord decoded;
    try {
      decoded = records.deserialize(message.topic(), message.value());
    } catch (SerializationException e) {
      poison(message, e, finished);
      return;
    }
    if (decoded instanceof RepairCommand command) {
      counts.onReceived();
      active.incrementAndGet();
      lanes.submit(command.getInstance(), () -> carryOut(command, message, owned, finished));
    } else {
      poison(message, new InvalidCommandException("the record is not a repair command"), finished);
    }
  }

  private void poison(ConsumerRecord<String, byte[]> message, Exception error, Runnable finished) {
    counts.onReceived();
    counts.onPoisoned();
    active.incrementAndGet();
    reports
        .putAside(PoisonRecord.of(message), error)
        .whenComplete((done, failure) -> end(failure, finished));
  }

  private CompletionStage<?> carryOut(
      RepairCommand command,
      ConsumerRecord<String, byte[]> message,
      BooleanSupplier owned,
      Runnable finished) {
    return run.run(command, owned)
        .thenCompose(
            ending -> {
              counts.onEnding(ending);
              operations.outcome(command, ending);
              return tell(command, message, ending).thenApply(told -> ending.repair());
            })
        .whenComplete(
            (repair, failure) -> {
              if (Stages.cause(failure) instanceof HandedOverException) {
                counts.onHandedOver();
                active.decrementAndGet();
              } else if (failure == null && repair.followUp().isPresent()) {
                active.decrementAndGet();
                later(command, repair.followUp().get(), finished);
              } else {
                end(failure, finished);
              }
            });
  }

  private CompletionStage<Void> tell(
      RepairCommand command, ConsumerRecord<String, byte[]> message, Ending ending) {
    if (ending.repair().outcome() != Outcome.FAILED) {
      return reports.outcome(command, ending);
    }
    return reports
        .putAside(PoisonRecord.of(message), new InvalidCommandException(ending.repair().detail()))
        .thenCompose(aside -> reports.outcome(command, ending));
  }

  private void later(RepairCommand command, Repair.FollowUp followUp, Runnable finished) {
    after
        .apply(followUp.after())
        .execute(
            () ->
                lanes.submit(command.getInstance(), () -> secondLook(command, followUp, finished)));
  }

  private CompletionStage<?> secondLook(
      RepairCommand command, Repair.FollowUp followUp, Runnable finished) {
    return run.secondLook(command, followUp)
        .thenCompose(
            ending -> {
              operations.secondLook(command, ending);
              return ending.repair().outcome() == Outcome.FAILED
                  ? reports.outcome(command, ending).thenApply(told -> ending.repair())
                  : CompletableFuture.completedStage(ending.repair());
            })
        .whenComplete(
            (repair, failure) -> {
              if (failure == null && repair.followUp().isPresent()) {
                later(command, repair.followUp().get(), finished);
              } else if (failure == null) {
                finished.run();
              } else {
                unfinished(failure);
              }
            });
  }

  private void end(Throwable failure, Runnable finished) {
    active.decrementAndGet();
    if (failure == null) {
      finished.run();
    } else {
      unfinished(failure);
    }
  }

  /** Its offset is never committed, so that it comes again after a restart. */
  private static void unfinished(Throwable failure) {
    log.atError()
        .setCause(failure)
        .addKeyValue("error", Faults.inWords(failure))
        .log("a command was not seen through");
  }
}
