package dev.restitch.worker.policy;

import dev.restitch.avro.Outcome;
import dev.restitch.config.SideConfig;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import dev.restitch.worker.apply.Change;
import dev.restitch.worker.apply.Expectation;
import dev.restitch.worker.apply.Held;
import dev.restitch.worker.apply.Order;
import dev.restitch.worker.apply.SideStore;
import dev.restitch.writer.Expiry;
import dev.restitch.writer.io.Stages;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Writes a side that is behind from a side that has the torn transaction, with that transaction's
 * own stamp. {@code copy} goes between sides that declare the same payload only.
 *
 * <p>An absent side is filled as it was asked; then its source is read again, and if that has
 * moved, the worker removes what it has just written, unless someone else has written there since.
 */
public final class AcceptNewest implements RepairPolicy {

  private static final String COPY = "copy";

  private final SideStore sides;

  public AcceptNewest(SideStore sides) {
    this.sides = sides;
  }

  @Override
  public CompletionStage<Repair> mend(RepairOrder order) {
    if (!COPY.equals(order.settings().regenerate())) {
      throw new RepairStopped(
          Outcome.FAILED, "the only regenerator of this version is copy, not a mapping");
    }
    List<Copy> copies = order.behind().stream().map(side -> plan(order, side)).toList();
    return Stages.all(copies.stream().map(copy -> make(order, copy)).toList())
        .thenApply(changes -> Repair.of(order.torn(), changes));
  }

  private record Copy(
      StoreKey source, Expectation sourceExpected, StoreKey behind, Expectation expected) {}

  private static Copy plan(RepairOrder order, StoreKey behind) {
    if (order.seen(behind).isEmpty() && !order.seenAbsent(behind)) {
      throw new RepairStopped(
          Outcome.FAILED, behind + " had no stamp: it is not overwritten with a sibling");
    }
    StoreKey source = source(order, behind);
    return new Copy(source, order.expectation(source), behind, order.expectation(behind));
  }

  private CompletionStage<Change> make(RepairOrder order, Copy copy) {
    return sides
        .hold(copy.source())
        .thenCompose(
            held -> {
              requireStanding(order, copy, held);
              Expiry expiry =
                  copy.expected() instanceof Expectation.Absent
                      ? SiblingExpiry.like(held.ttlMillis())
                      : Expiry.KEEP;
              return sides
                  .compareAndSet(
                      order.relation(),
                      copy.behind(),
                      copy.expected(),
                      order.torn(),
                      held.value(),
                      expiry)
                  .thenCompose(change -> afterFilling(order, copy, change, held.value()));
            });
  }

  /** The first other side of the same payload that was seen with the torn transaction's stamp. */
  private static StoreKey source(RepairOrder order, StoreKey behind) {
    List<StoreKey> keys = order.sides();
    List<SideConfig> configs = order.relation().sides();
    String payload = configs.get(keys.indexOf(behind)).payload();
    for (int i = 0; i < keys.size(); i++) {
      StoreKey candidate = keys.get(i);
      if (payload != null
          && !candidate.equals(behind)
          && payload.equals(configs.get(i).payload())
          && order.expected().containsKey(candidate)
          && order.seen(candidate).equals(Optional.of(order.torn()))) {
        return candidate;
      }
    }
    throw new RepairStopped(
        Outcome.FAILED, "no side with the payload of " + behind + " had the torn stamp");
  }

  private static void requireStanding(RepairOrder order, Copy copy, Held held) {
    Optional<Stamp> standing = held.stamp(order.relation().stamp());
    boolean same =
        standing.equals(Optional.of(order.torn()))
            && (!(copy.sourceExpected() instanceof Expectation.Exact exact)
                || exact.matches(held.value()));
    if (!same) {
      boolean newer =
          standing.isPresent() && Order.newer(order.relation(), standing.get(), order.torn());
      throw new RepairStopped(
          newer ? Outcome.SUPERSEDED : Outcome.CONFLICT,
          "the source "
              + copy.source()
              + " has moved to "
              + held.standing(order.relation().stamp()));
    }
  }

  private CompletionStage<Change> afterFilling(
      RepairOrder order, Copy copy, Change change, byte[] value) {
    boolean filled = copy.expected() instanceof Expectation.Absent && change.stands();
    if (!filled) {
      return CompletableFuture.completedStage(change);
    }
    return sides
        .read(order.relation(), copy.source())
        .thenCompose(
            now ->
                now.carries(order.torn())
                    ? CompletableFuture.completedStage(change)
                    : takeBack(order, change, value));
  }

  /** Removes only what this call has written itself. */
  private CompletionStage<Change> takeBack(RepairOrder order, Change change, byte[] value) {
    Change conflict =
        new Change(change.key(), Change.Kind.CONFLICT, change.before(), change.target());
    if (change.kind() != Change.Kind.WRITTEN) {
      return CompletableFuture.completedStage(conflict);
    }
    return sides
        .compareAndDelete(order.relation(), change.key(), own(order, value))
        .thenApply(removed -> conflict);
  }

  private static Expectation own(RepairOrder order, byte[] value) {
    Bytes prefix = Bytes.copyOf(order.relation().stamp().prefix(order.torn()));
    return order.relation().stamp().hasToken()
        ? new Expectation.Stamped(prefix)
        : Expectation.Exact.of(prefix, value);
  }
}
