package dev.restitch.worker.policy;

import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import dev.restitch.worker.apply.Change;
import dev.restitch.worker.apply.Expectation;
import dev.restitch.worker.apply.Payload;
import dev.restitch.worker.apply.SideStore;
import dev.restitch.worker.truth.Truth;
import dev.restitch.writer.Expiry;
import dev.restitch.writer.io.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/**
 * Carries out one generation of a source-of-truth rewrite: first the sides that are there, then,
 * where all those stand, the absent ones, whose siblings are read again.
 */
final class Rewrite {

  /**
   * One generation.
   *
   * @param token the generation's token, for the marker; the stamp carries it where it has one
   */
  record Plan(Bytes token, Stamp stamp, int generation, Truth truth) {

    /** What a side is to carry; empty: it is to be deleted. */
    Optional<Payload> payload(RepairOrder order, int side) {
      return truth.payloads().get(side).map(said -> order.payload(order.sides().get(side), said));
    }

    /** How to know again what this generation wrote, where no token tells. */
    Map<StoreKey, Scene.Own> remembered(RepairOrder order) {
      List<StoreKey> keys = order.sides();
      boolean hasToken = order.relation().stamp().hasToken();
      Map<StoreKey, Scene.Own> mine = new LinkedHashMap<>();
      for (int i = 0; i < keys.size(); i++) {
        Optional<Payload> payload = payload(order, i);
        Expectation left = new Expectation.Absent();
        if (payload.isPresent()) {
          left =
              hasToken
                  ? new Expectation.Stamped(stamp)
                  : Expectation.Exact.of(
                      Bytes.copyOf(order.relation().stamp().prefix(stamp)), payload.get().said());
        }
        mine.put(keys.get(i), new Scene.Own(generation, stamp, left));
      }
      return mine;
    }
  }

  private final SideStore sides;
  private final RewriteIntents intents;
  private final Filling filling;

  Rewrite(SideStore sides, RewriteIntents intents) {
    this.sides = sides;
    this.intents = intents;
    this.filling = new Filling(sides);
  }

  /** Publishes the intent; completes when Kafka has it. */
  CompletionStage<Void> announce(RepairOrder order, Plan plan) {
    return intents.announce(order, plan);
  }

  /** Writes every side, then the marker where all sides stand, then says done. */
  CompletionStage<Repair> write(RepairOrder order, Scene scene, Plan plan) {
    List<StoreKey> keys = order.sides();
    List<Integer> all = IntStream.range(0, keys.size()).boxed().toList();
    List<Integer> present =
        all.stream().filter(i -> !Filling.fills(scene.expectation(keys.get(i)))).toList();
    List<Integer> absent = all.stream().filter(i -> !present.contains(i)).toList();
    return Stages.all(present.stream().map(i -> write(order, scene, plan, i, Expiry.KEEP)).toList())
        .thenCompose(
            changes ->
                changes.stream().allMatch(Change::stands)
                    ? fill(order, scene, plan, absent, keysOf(keys, present, plan))
                        .thenApply(filled -> joined(changes, filled))
                    : CompletableFuture.completedStage(changes))
        .thenCompose(changes -> mark(order, plan, changes))
        .thenApply(
            changes -> {
              intents.done(order, plan, changes);
              return Repair.of(plan.stamp(), changes);
            });
  }

  /** The keys of sides that this generation has given a value. */
  private static List<StoreKey> keysOf(List<StoreKey> keys, List<Integer> sides, Plan plan) {
    return sides.stream()
        .filter(i -> plan.truth().payloads().get(i).isPresent())
        .map(keys::get)
        .toList();
  }

  private CompletionStage<List<Change>> fill(
      RepairOrder order, Scene scene, Plan plan, List<Integer> absent, List<StoreKey> siblings) {
    if (absent.isEmpty()) {
      return CompletableFuture.completedStage(List.of());
    }
    return SiblingExpiry.of(sides, siblings)
        .thenCompose(
            expiry ->
                Stages.all(
                    absent.stream()
                        .map(
                            i ->
                                write(order, scene, plan, i, expiry)
                                    .thenCompose(c -> confirm(order, plan, i, c, siblings)))
                        .toList()));
  }

  private CompletionStage<Change> confirm(
      RepairOrder order, Plan plan, int side, Change change, List<StoreKey> siblings) {
    Optional<Payload> payload = plan.payload(order, side);
    return payload.isEmpty()
        ? CompletableFuture.completedStage(change)
        : filling.confirmFresh(order, change, plan.stamp(), payload.get(), siblings);
  }

  private CompletionStage<Change> write(
      RepairOrder order, Scene scene, Plan plan, int side, Expiry expiry) {
    StoreKey key = order.sides().get(side);
    Expectation expected = scene.expectation(key);
    Optional<Payload> payload = plan.payload(order, side);
    return payload.isPresent()
        ? sides.compareAndSet(order.side(key), expected, plan.stamp(), payload.get(), expiry)
        : sides.compareAndDelete(order.side(key), expected);
  }

  private CompletionStage<List<Change>> mark(RepairOrder order, Plan plan, List<Change> changes) {
    Optional<StoreKey> marker = order.relation().markerOf(order.instance(), plan.token());
    if (marker.isEmpty() || !changes.stream().allMatch(Change::stands)) {
      return CompletableFuture.completedStage(changes);
    }
    Duration ttl = order.relation().marker().ttl();
    return sides
        .mark(marker.get(), ttl == null ? Expiry.NONE : Expiry.after(ttl))
        .thenApply(marked -> joined(changes, List.of(marked)));
  }

  private static List<Change> joined(List<Change> some, List<Change> more) {
    List<Change> all = new ArrayList<>(some);
    all.addAll(more);
    return all;
  }
}
