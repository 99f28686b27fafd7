package dev.restitch.sandbox.workload;

import dev.restitch.avro.ResultKind;
import dev.restitch.config.RelationConfig;
import dev.restitch.stamp.Stamp;
import dev.restitch.writer.KeyResult;
import dev.restitch.writer.StampedWriter;
import dev.restitch.writer.Transaction;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Performs acts on instances, step by step with the writer library. Truth is committed before the
 * first write, as a cache-aside application does. Never blocks. Thread-safe.
 */
final class Actor {

  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(300);
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(5);

  private final Writers writers;
  private final Truth truth;
  private final Ledger ledger;
  private final LongAdder written = new LongAdder();

  Actor(Writers writers, Truth truth, Ledger ledger) {
    this.writers = writers;
    this.truth = truth;
    this.ledger = ledger;
  }

  /** Logical writes that have written at least one side. */
  long written() {
    return written.sum();
  }

  /** Completes when the act is over; fails if a server refused a step. */
  CompletionStage<Void> perform(Act act, Instance instance, Choices choices) {
    StampedWriter writer = choices.fenced() ? writers.fenced() : writers.plain();
    if (act instanceof Tear tear) {
      return tear(tear, writer, instance, choices);
    }
    if (act instanceof Decoy decoy) {
      return decoy(decoy, writer, instance, choices);
    }
    return ordinary(writer, instance, choices.first());
  }

  private CompletionStage<Void> ordinary(
      StampedWriter writer, Instance instance, Payloads payloads) {
    return truth
        .commit(instance, payloads)
        .thenCompose(committed -> timed(instance, () -> writer.write(instance.request(payloads))))
        .thenAccept(
            report -> {
              check(report.sides().values());
              check(report.markers().values());
              truth.stands(instance, new Stamp(report.version(), report.token()), payloads);
              written.increment();
            });
  }

  private CompletionStage<Void> tear(
      Tear tear, StampedWriter writer, Instance instance, Choices choices) {
    return switch (tear) {
      case MISSING, UNCOMMITTED -> stopAfterFirstSide(tear, writer, instance, choices);
      case LATE_OVERWRITE -> lateOverwrite(writer, instance, choices);
      case MARKER_MISSING -> stopBeforeMarker(writer, instance, choices);
      case MARKER_EXPIRED -> shortMarker(instance, choices);
    };
  }

  private CompletionStage<Void> decoy(
      Decoy decoy, StampedWriter writer, Instance instance, Choices choices) {
    return switch (decoy) {
      case PAUSED -> paused(writer, instance, choices);
      case INTENT_ONLY ->
          writer.begin(instance.request(choices.first())).thenCompose(Transaction::publishIntent);
      case SUPERSEDED -> superseded(writer, instance, choices);
    };
  }

  private CompletionStage<Void> stopAfterFirstSide(
      Tear tear, StampedWriter writer, Instance instance, Choices choices) {
    return open(writer, instance, choices.first())
        .thenCompose(
            transaction -> {
              ledger.tearing(instance, tear);
              return put(transaction, instance, choices.side(), choices.first());
            })
        .thenAccept(put -> due(instance, instance.relation().settle()));
  }

  private CompletionStage<Void> lateOverwrite(
      StampedWriter writer, Instance instance, Choices choices) {
    return whole(writers.plain(), instance, choices.first())
        .thenCompose(
            older ->
                whole(writer, instance, choices.second())
                    .thenCompose(newer -> pause(choices.between(SHORTEST_PAUSE, LONGEST_DELAY)))
                    .thenCompose(
                        rested -> {
                          ledger.tearing(instance, Tear.LATE_OVERWRITE);
                          return older.write(instance.key(choices.side()));
                        }))
        .thenAccept(
            landed -> {
              check(landed);
              due(instance, instance.relation().settle());
            });
  }

  private CompletionStage<Void> stopBeforeMarker(
      StampedWriter writer, Instance instance, Choices choices) {
    return open(writer, instance, choices.first())
        .thenCompose(
            transaction -> {
              ledger.tearing(instance, Tear.MARKER_MISSING);
              return put(transaction, instance, choices.side(), choices.first())
                  .thenCompose(
                      put -> {
                        due(instance, instance.relation().settle());
                        return put(transaction, instance, choices.other(), choices.first());
                      });
            });
  }

  private CompletionStage<Void> shortMarker(Instance instance, Choices choices) {
    RelationConfig relation = instance.relation();
    Duration tolerance =
        relation.settle().compareTo(relation.ttlTolerance()) > 0
            ? relation.settle()
            : relation.ttlTolerance();
    ledger.tearing(instance, Tear.MARKER_EXPIRED);
    return whole(writers.shortMarker(), instance, choices.first())
        .thenAccept(whole -> due(instance, Writers.SHORT.plus(tolerance)));
  }

  private CompletionStage<Void> paused(StampedWriter writer, Instance instance, Choices choices) {
    Duration most = instance.relation().settle().multipliedBy(6).dividedBy(10);
    return open(writer, instance, choices.first())
        .thenCompose(
            transaction ->
                timed(
                    instance,
                    () ->
                        put(transaction, instance, choices.side(), choices.first())
                            .thenCompose(put -> pause(choices.between(SHORTEST_PAUSE, most)))
                            .thenCompose(
                                rested ->
                                    put(transaction, instance, choices.other(), choices.first()))
                            .thenCompose(put -> finish(transaction))));
  }

  private CompletionStage<Void> superseded(
      StampedWriter writer, Instance instance, Choices choices) {
    Duration most = instance.relation().settle().dividedBy(2);
    return open(writer, instance, choices.first())
        .thenCompose(transaction -> put(transaction, instance, choices.side(), choices.first()))
        .thenCompose(put -> pause(choices.between(SHORTEST_PAUSE, most)))
        .thenCompose(rested -> whole(writer, instance, choices.second()))
        .thenAccept(whole -> {});
  }

  private CompletionStage<Transaction> whole(
      StampedWriter writer, Instance instance, Payloads payloads) {
    return open(writer, instance, payloads)
        .thenCompose(
            transaction ->
                timed(instance, () -> bothSides(transaction, instance, payloads))
                    .thenApply(finished -> transaction));
  }

  private CompletionStage<Void> bothSides(
      Transaction transaction, Instance instance, Payloads payloads) {
    CompletionStage<Void> other = put(transaction, instance, 1, payloads);
    return put(transaction, instance, 0, payloads)
        .thenCombine(other, (one, two) -> transaction)
        .thenCompose(Actor::finish);
  }

  /** Notes it where steps that must keep within the settle time did not. */
  private <T> CompletionStage<T> timed(Instance instance, Supplier<CompletionStage<T>> steps) {
    long from = System.currentTimeMillis();
    return steps
        .get()
        .whenComplete(
            (result, failure) -> {
              long to = System.currentTimeMillis();
              if (to - from >= instance.relation().settle().toMillis()) {
                ledger.slow(new SlowWrite(instance.name(), from, to));
              }
            });
  }

  /** Truth first, then a version, then the intent. */
  private CompletionStage<Transaction> open(
      StampedWriter writer, Instance instance, Payloads payloads) {
    return truth
        .commit(instance, payloads)
        .thenCompose(committed -> writer.begin(instance.request(payloads)))
        .thenCompose(
            transaction ->
                transaction
                    .publishIntent()
                    .thenApply(
                        sent -> {
                          written.increment();
                          return transaction;
                        }));
  }

  private CompletionStage<Void> put(
      Transaction transaction, Instance instance, int side, Payloads payloads) {
    return transaction
        .write(instance.key(side))
        .thenAccept(
            result -> {
              check(result);
              truth.stands(instance, transaction.stampOf(instance.key(side)), payloads);
            });
  }

  /** The marker, and a last word. */
  private static CompletionStage<Void> finish(Transaction transaction) {
    return transaction
        .writeMarkers()
        .thenCompose(
            results -> {
              check(results.values());
              return transaction.publishDone();
            });
  }

  private void due(Instance instance, Duration after) {
    ledger.due(instance, System.currentTimeMillis() + after.toMillis());
  }

  private static void check(Collection<KeyResult> results) {
    results.forEach(Actor::check);
  }

  private static void check(KeyResult result) {
    if (result.status().kind() != ResultKind.OK) {
      throw new IllegalStateException("a write was not made: " + result.status(), result.failure());
    }
  }

  private static CompletionStage<Void> pause(Duration pause) {
    return CompletableFuture.runAsync(
        () -> {}, CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS));
  }
}
