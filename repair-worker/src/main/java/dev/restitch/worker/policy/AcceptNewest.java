package dev.restitch.worker.policy;

import dev.restitch.avro.Outcome;
import dev.restitch.config.Regeneration;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import dev.restitch.worker.apply.Change;
import dev.restitch.worker.apply.Expectation;
import dev.restitch.worker.apply.Held;
import dev.restitch.worker.apply.Order;
import dev.restitch.worker.apply.Payload;
import dev.restitch.worker.apply.SideStore;
import dev.restitch.writer.Expiry;
import dev.restitch.writer.io.Stages;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Makes a side that is behind from a side that has the torn transaction, with that transaction's
 * own stamp: by copying, between sides that declare the same payload only, or by a declared
 * mapping.
 */
public final class AcceptNewest implements RepairPolicy {

  private final SideStore sides;
  private final Mappings mappings;
  private final Filling filling;

  /**
   * @param mappings stay their owner's
   */
  public AcceptNewest(SideStore sides, Mappings mappings) {
    this.sides = sides;
    this.mappings = mappings;
    this.filling = new Filling(sides);
  }

  @Override
  public CompletionStage<Repair> mend(RepairOrder order) {
    if (order.relation().log()) {
      throw new RepairStopped(Outcome.FAILED, "a log is not made from another");
    }
    List<Step> steps = order.behind().stream().map(side -> plan(order, side)).toList();
    return Stages.all(steps.stream().map(step -> make(order, step)).toList())
        .thenApply(changes -> Repair.of(order.torn(), changes));
  }

  /**
   * One side to make.
   *
   * @param mapping null: the payload is copied
   */
  private record Step(
      StoreKey source,
      Expectation sourceExpected,
      String mapping,
      StoreKey behind,
      Expectation expected) {}

  private static Step plan(RepairOrder order, StoreKey behind) {
    if (order.seen(behind).isEmpty() && !order.seenAbsent(behind)) {
      throw new RepairStopped(
          Outcome.FAILED, behind + " had no stamp: it is not overwritten with a sibling");
    }
    List<StoreKey> keys = order.sides();
    for (Regeneration.Source from :
        order.settings().regenerate().sourcesOf(order.relation().sides(), keys.indexOf(behind))) {
      StoreKey source = keys.get(from.side());
      if (order.carriers().contains(source)) {
        return new Step(
            source, order.expectation(source), from.mapping(), behind, order.expectation(behind));
      }
    }
    throw new RepairStopped(
        Outcome.FAILED, "no side that " + behind + " can be made from had the torn stamp");
  }

  private CompletionStage<Change> make(RepairOrder order, Step step) {
    return sides
        .hold(order.side(step.source()))
        .thenCompose(
            held -> {
              requireStanding(order, step, held);
              return payload(order, step, held)
                  .thenCompose(payload -> write(order, step, held, payload));
            });
  }

  private CompletionStage<Payload> payload(RepairOrder order, Step step, Held held) {
    if (step.mapping() == null) {
      return CompletableFuture.completedStage(held.payload());
    }
    Bytes source;
    try {
      source = held.payload().said();
    } catch (IllegalArgumentException e) {
      throw new RepairStopped(Outcome.FAILED, step.source() + ": " + e.getMessage());
    }
    return mappings
        .apply(step.mapping(), source)
        .thenApply(made -> order.payload(step.behind(), made));
  }

  private CompletionStage<Change> write(RepairOrder order, Step step, Held held, Payload payload) {
    Expiry expiry =
        step.expected() instanceof Expectation.Absent
            ? SiblingExpiry.like(held.ttlMillis())
            : Expiry.KEEP;
    return sides
        .compareAndSet(order.side(step.behind()), step.expected(), order.torn(), payload, expiry)
        .thenCompose(
            change ->
                filling.confirm(
                    order, change, step.expected(), order.torn(), payload, List.of(step.source())));
  }

  private static void requireStanding(RepairOrder order, Step step, Held held) {
    Optional<Stamp> standing = held.stamp();
    boolean same =
        standing.equals(Optional.of(order.torn()))
            && (!(step.sourceExpected() instanceof Expectation.Exact exact)
                || Filling.same(exact, held.payload()));
    if (!same) {
      boolean newer =
          standing.isPresent() && Order.newer(order.relation(), standing.get(), order.torn());
      throw new RepairStopped(
          newer ? Outcome.SUPERSEDED : Outcome.CONFLICT,
          "the source " + step.source() + " has moved to " + held.standing());
    }
  }
}
