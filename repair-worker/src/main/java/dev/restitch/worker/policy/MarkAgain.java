package dev.restitch.worker.policy;

import dev.restitch.avro.Outcome;
import dev.restitch.model.StoreKey;
import dev.restitch.worker.apply.SideStore;
import dev.restitch.writer.Expiry;
import dev.restitch.writer.io.Stages;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Writes the commit marker of a transaction that some side still carries, where no marker stands.
 * The policy {@code mark}.
 */
public final class MarkAgain implements RepairPolicy {

  private final SideStore sides;

  public MarkAgain(SideStore sides) {
    this.sides = sides;
  }

  @Override
  public CompletionStage<Repair> mend(RepairOrder order) {
    return Stages.all(
            order.sides().stream()
                .map(side -> sides.carries(order.side(side), order.torn()))
                .toList())
        .thenCompose(
            carried -> {
              if (!carried.contains(true)) {
                return CompletableFuture.completedStage(
                    Repair.none(
                        Outcome.SUPERSEDED, "no side carries " + order.torn() + " any more"));
              }
              StoreKey marker = order.behind().get(0);
              return sides
                  .mark(marker, expiry(order))
                  .thenApply(change -> Repair.of(order.torn(), List.of(change)));
            });
  }

  private static Expiry expiry(RepairOrder order) {
    Long millis = order.command().getMarkerTtlMillis();
    Duration ttl = order.relation().marker().ttl();
    if (millis != null) {
      return Expiry.afterMillis(Math.max(1, millis));
    }
    return ttl == null ? Expiry.NONE : Expiry.after(ttl);
  }
}
