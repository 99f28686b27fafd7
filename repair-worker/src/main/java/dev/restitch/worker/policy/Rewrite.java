package dev.restitch.worker.policy;

import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import dev.restitch.worker.apply.Change;
import dev.restitch.worker.apply.Expectation;
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

/** Carries out one generation of a source-of-truth rewrite. */
final class Rewrite {

  /**
   * One generation.
   *
   * @param token the generation's token, for the marker; the stamp carries it where it has one
   */
  record Plan(Bytes token, Stamp stamp, int generation, Truth truth) {

    byte[] value(RepairOrder order, int side) {
      return order.relation().stamp().write(stamp, truth.payloads().get(side).toArray());
    }

    /** How to know again what this generation wrote. */
    Map<StoreKey, Scene.Own> remembered(RepairOrder order) {
      List<StoreKey> keys = order.sides();
      Bytes prefix = Bytes.copyOf(order.relation().stamp().prefix(stamp));
      Map<StoreKey, Scene.Own> mine = new LinkedHashMap<>();
      for (int i = 0; i < keys.size(); i++) {
        mine.put(
            keys.get(i),
            new Scene.Own(generation, stamp, Expectation.Exact.of(prefix, value(order, i))));
      }
      return mine;
    }
  }

  private final SideStore sides;
  private final RewriteIntents intents;

  Rewrite(SideStore sides, RewriteIntents intents) {
    this.sides = sides;
    this.intents = intents;
  }

  /** Publishes the intent; completes when Kafka has it. */
  CompletionStage<Void> announce(RepairOrder order, Plan plan) {
    return intents.announce(order, plan);
  }

  /** Writes every side, then the marker where all sides stand, then says done. */
  CompletionStage<Repair> write(RepairOrder order, Scene scene, Plan plan) {
    List<StoreKey> keys = order.sides();
    List<StoreKey> present =
        keys.stream().filter(k -> scene.own().containsKey(k) || !order.seenAbsent(k)).toList();
    CompletionStage<Expiry> forAbsent =
        present.size() == keys.size()
            ? CompletableFuture.completedStage(Expiry.KEEP)
            : SiblingExpiry.of(sides, present);
    return forAbsent
        .thenCompose(
            expiry -> {
              List<CompletionStage<Change>> changes = new ArrayList<>(keys.size());
              for (int i = 0; i < keys.size(); i++) {
                changes.add(
                    sides.compareAndSet(
                        order.relation(),
                        keys.get(i),
                        scene.expectation(keys.get(i)),
                        plan.stamp(),
                        plan.value(order, i),
                        present.contains(keys.get(i)) ? Expiry.KEEP : expiry));
              }
              return Stages.all(changes);
            })
        .thenCompose(changes -> mark(order, plan, changes))
        .thenApply(
            changes -> {
              intents.done(order, plan, changes);
              return Repair.of(plan.stamp(), changes);
            });
  }

  private CompletionStage<List<Change>> mark(RepairOrder order, Plan plan, List<Change> changes) {
    Optional<StoreKey> marker = order.relation().markerOf(order.instance(), plan.token());
    if (marker.isEmpty() || !changes.stream().allMatch(Change::stands)) {
      return CompletableFuture.completedStage(changes);
    }
    Duration ttl = order.relation().marker().ttl();
    return sides
        .mark(marker.get(), ttl == null ? Expiry.NONE : Expiry.after(ttl))
        .thenApply(
            marked -> {
              List<Change> all = new ArrayList<>(changes);
              all.add(marked);
              return all;
            });
  }
}
