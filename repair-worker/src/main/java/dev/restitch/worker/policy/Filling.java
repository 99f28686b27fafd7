package dev.restitch.worker.policy;

import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import dev.restitch.worker.apply.Change;
import dev.restitch.worker.apply.Expectation;
import dev.restitch.worker.apply.Payload;
import dev.restitch.worker.apply.SideStore;
import dev.restitch.writer.io.Stages;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * What follows when an absent side was filled: its sources are read again, and if one has moved the
 * worker removes what it has just written itself, unless someone else has written there since. So
 * an owner that deletes all sides during a repair does not get one of them back.
 */
final class Filling {

  private final SideStore sides;

  Filling(SideStore sides) {
    this.sides = sides;
  }

  /**
   * True if an absent side may be filled now: its sources stand. Of a command that comes late they
   * do not, and then nothing is written that would have to be taken back.
   */
  CompletionStage<Boolean> mayFill(
      RepairOrder order, Expectation expected, Stamp stamp, List<StoreKey> sources) {
    return fills(expected)
        ? Stages.all(sources.stream().map(source -> stands(order, source, stamp)).toList())
            .thenApply(standing -> !standing.contains(false))
        : CompletableFuture.completedStage(true);
  }

  /**
   * Looks at the sources of a change again.
   *
   * @param expected what was to stand there before
   * @param stamp what was written
   * @param sources the keys that must still carry that stamp
   * @return the change, or a conflict where a source has moved
   */
  CompletionStage<Change> confirm(
      RepairOrder order,
      Change change,
      Expectation expected,
      Stamp stamp,
      Payload payload,
      List<StoreKey> sources) {
    return fills(expected)
        ? confirm(order, change, stamp, payload, sources, source -> stands(order, source, stamp))
        : CompletableFuture.completedStage(change);
  }

  /** The same after a rewrite: the siblings must carry the rewrite's own stamp. */
  CompletionStage<Change> confirmFresh(
      RepairOrder order, Change change, Stamp stamp, Payload payload, List<StoreKey> siblings) {
    return confirm(
        order, change, stamp, payload, siblings, key -> sides.carries(order.side(key), stamp));
  }

  private CompletionStage<Change> confirm(
      RepairOrder order,
      Change change,
      Stamp stamp,
      Payload payload,
      List<StoreKey> sources,
      Function<StoreKey, CompletionStage<Boolean>> stands) {
    if (!change.stands()) {
      return CompletableFuture.completedStage(change);
    }
    return Stages.all(sources.stream().map(stands).toList())
        .thenCompose(
            standing ->
                standing.contains(false)
                    ? takeBack(order, change, stamp, payload)
                    : CompletableFuture.completedStage(change));
  }

  /** A side that is not filled, since a source has moved: a conflict. */
  CompletionStage<Change> moved(RepairOrder order, StoreKey side, Stamp stamp) {
    return sides
        .read(order.side(side))
        .thenApply(standing -> new Change(side, Change.Kind.CONFLICT, standing, stamp.toString()));
  }

  static boolean fills(Expectation expected) {
    return expected instanceof Expectation.Absent
        || (expected instanceof Expectation.Tail tail && tail.tokens().isEmpty());
  }

  private CompletionStage<Boolean> stands(RepairOrder order, StoreKey source, Stamp stamp) {
    return !order.relation().stamp().hasToken()
            && order.expectation(source) instanceof Expectation.Exact exact
        ? sides
            .hold(order.side(source))
            .thenApply(
                held ->
                    held.stamp().filter(stamp::equals).isPresent() && same(exact, held.payload()))
        : sides.carries(order.side(source), stamp);
  }

  /** True if a payload is the one that was seen, which its stamp alone does not tell. */
  static boolean same(Expectation.Exact seen, Payload payload) {
    return payload instanceof Payload.Value value
        && Expectation.Exact.of(seen.prefix(), value.bytes()).equals(seen);
  }

  /**
   * Removes only what this very call has written.
   *
   * @return a conflict
   */
  CompletionStage<Change> takeBack(RepairOrder order, Change change, Stamp stamp, Payload payload) {
    Change conflict =
        new Change(change.key(), Change.Kind.CONFLICT, change.before(), change.target());
    if (change.kind() != Change.Kind.WRITTEN) {
      return CompletableFuture.completedStage(conflict);
    }
    return (order.relation().log()
            ? sides.withdraw(order.side(change.key()), stamp, payload.said())
            : sides.compareAndDelete(order.side(change.key()), own(order, stamp, payload)))
        .thenApply(removed -> conflict);
  }

  private static Expectation own(RepairOrder order, Stamp stamp, Payload payload) {
    return order.relation().stamp().hasToken()
        ? new Expectation.Stamped(stamp)
        : Expectation.Exact.of(
            Bytes.copyOf(order.relation().stamp().prefix(stamp)), payload.said());
  }
}
