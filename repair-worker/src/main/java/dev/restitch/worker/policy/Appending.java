package dev.restitch.worker.policy;

import dev.restitch.avro.Outcome;
import dev.restitch.config.SideType;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import dev.restitch.worker.apply.Change;
import dev.restitch.worker.apply.Expectation;
import dev.restitch.worker.apply.Payload;
import dev.restitch.worker.apply.SideStore;
import dev.restitch.writer.Expiry;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Appends the entry that a log lacks, once. A sorted set's entry gets the score that its writer
 * meant; else that of the transaction's entry in a sibling; else the transaction's version.
 */
final class Appending {

  private final SideStore sides;
  private final Filling filling;

  Appending(SideStore sides) {
    this.sides = sides;
    this.filling = new Filling(sides);
  }

  /**
   * Appends to one log.
   *
   * @param score as the writer, or the source of truth, says it; null: not said
   * @param ttlMillis of a log that was absent, as the writer says it; null: not said
   */
  CompletionStage<Change> append(
      RepairOrder order, StoreKey log, Stamp stamp, Bytes payload, Double score, Long ttlMillis) {
    Expectation.Tail expected = order.tail(log);
    return filling
        .mayFill(order, expected, stamp, order.carriers())
        .thenCompose(
            may ->
                may
                    ? append(order, log, stamp, payload, score, ttlMillis, expected)
                    : filling.moved(order, log, stamp));
  }

  private CompletionStage<Change> append(
      RepairOrder order,
      StoreKey log,
      Stamp stamp,
      Bytes payload,
      Double score,
      Long ttlMillis,
      Expectation.Tail expected) {
    List<StoreKey> carriers = order.carriers();
    CompletionStage<Expiry> expiry = CompletableFuture.completedStage(Expiry.KEEP);
    if (expected.tokens().isEmpty()) {
      expiry =
          ttlMillis == null
              ? SiblingExpiry.of(sides, carriers)
              : CompletableFuture.completedStage(Expiry.afterMillis(Math.max(1, ttlMillis)));
    }
    return expiry
        .thenCombine(score(order, log, stamp, score), Placed::new)
        .thenCompose(
            placed ->
                sides.append(
                    order.side(log),
                    expected,
                    stamp,
                    payload,
                    placed.score().orElse(null),
                    placed.expiry()))
        .thenCompose(
            change ->
                filling.confirm(
                    order, change, expected, stamp, new Payload.Value(payload), carriers));
  }

  private record Placed(Expiry expiry, Optional<Double> score) {}

  private CompletionStage<Optional<Double>> score(
      RepairOrder order, StoreKey log, Stamp stamp, Double said) {
    if (order.type(log) != SideType.ZSET) {
      return CompletableFuture.completedStage(Optional.empty());
    }
    if (said != null) {
      if (said.isNaN()) {
        throw new RepairStopped(Outcome.FAILED, "the score of the entry is not a number");
      }
      return CompletableFuture.completedStage(Optional.of(said));
    }
    List<StoreKey> sorted =
        order.carriers().stream().filter(key -> order.type(key) == SideType.ZSET).toList();
    return ofSibling(order, sorted, stamp)
        .thenApply(
            found -> {
              if (found.isEmpty() && stamp.version() == null) {
                throw new RepairStopped(
                    Outcome.FAILED, "nothing tells the score of the entry that " + log + " lacks");
              }
              return found.or(() -> Optional.of((double) stamp.version()));
            });
  }

  private CompletionStage<Optional<Double>> ofSibling(
      RepairOrder order, List<StoreKey> siblings, Stamp stamp) {
    if (siblings.isEmpty()) {
      return CompletableFuture.completedStage(Optional.empty());
    }
    return sides
        .scoreOf(order.side(siblings.get(0)), stamp.token())
        .thenCompose(
            found ->
                found.isPresent()
                    ? CompletableFuture.completedStage(found)
                    : ofSibling(order, siblings.subList(1, siblings.size()), stamp));
  }
}
