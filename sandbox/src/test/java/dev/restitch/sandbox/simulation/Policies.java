package dev.restitch.sandbox.simulation;

import dev.restitch.avro.Intent;
import dev.restitch.avro.Policy;
import dev.restitch.config.RelationConfig;
import dev.restitch.model.StoreKey;
import dev.restitch.worker.apply.SideStore;
import dev.restitch.worker.guard.GenerationCap;
import dev.restitch.worker.guard.RatePermits;
import dev.restitch.worker.policy.AcceptNewest;
import dev.restitch.worker.policy.MarkAgain;
import dev.restitch.worker.policy.Repair;
import dev.restitch.worker.policy.RepairOrder;
import dev.restitch.worker.policy.RepairPolicy;
import dev.restitch.worker.policy.RewriteIntents;
import dev.restitch.worker.policy.RollForward;
import dev.restitch.worker.policy.SourceOfTruth;
import dev.restitch.worker.truth.Truth;
import dev.restitch.worker.truth.TruthException;
import dev.restitch.worker.truth.TruthUnavailableException;
import dev.restitch.writer.Expiry;
import dev.restitch.writer.io.RecordSender;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The real policies of one worker, each command's with its own view of the stores. */
final class Policies {

  private final World world;
  private final Worker worker;
  private final Map<String, Wire> wires;
  private final RatePermits permits;
  private final GenerationCap generations;
  private final RewriteIntents intents;

  Policies(
      World world,
      Worker worker,
      Map<String, Wire> wires,
      RatePermits permits,
      RecordSender sender) {
    this.world = world;
    this.worker = worker;
    this.wires = wires;
    this.permits = permits;
    this.generations = new GenerationCap(world.scheduler.clock());
    this.intents = new RewriteIntents(sender, worker.name, world.scheduler.clock());
  }

  Map<Policy, RepairPolicy> all() {
    return Map.of(
        Policy.ACCEPT_NEWEST,
        order -> new AcceptNewest(sides(order), world.mappings).mend(order),
        Policy.ROLL_FORWARD,
        order -> markFirst(order).thenCompose(marked -> rollForward(order)),
        Policy.MARK,
        order -> new MarkAgain(sides(order)).mend(order),
        Policy.SOURCE_OF_TRUTH,
        new RepairPolicy() {
          @Override
          public CompletionStage<Repair> mend(RepairOrder order) {
            return sourceOfTruth(order).mend(order).thenApply(Policies.this::once);
          }

          @Override
          public CompletionStage<Optional<Repair.FollowUp>> owed(RepairOrder order) {
            return world.mutations.contains(Mutation.REFUSED_AND_FORGOTTEN)
                ? RepairPolicy.super.owed(order)
                : sourceOfTruth(order).owed(order);
          }
        });
  }

  private RepairPolicy sourceOfTruth(RepairOrder order) {
    return new SourceOfTruth(
        sides(order), this::version, Map.of("db", this::truth), generations, permits, intents);
  }

  private CompletionStage<Repair> rollForward(RepairOrder order) {
    return new RollForward(
            sides(order),
            this::intent,
            reference -> CompletableFuture.failedStage(new TruthException("none")))
        .mend(order);
  }

  private CompletionStage<?> markFirst(RepairOrder order) {
    return world.mutations.contains(Mutation.MARKER_FIRST) && order.marker().isPresent()
        ? sides(order).mark(order.marker().get(), Expiry.NONE)
        : CompletableFuture.completedStage(null);
  }

  private Repair once(Repair repair) {
    return world.mutations.contains(Mutation.NO_SECOND_TRUTH)
        ? new Repair(
            repair.outcome(), repair.detail(), repair.written(), repair.changes(), Optional.empty())
        : repair;
  }

  private SideStore sides(RepairOrder order) {
    return new ModelSides(
        world.scheduler,
        world.stores,
        wires,
        new Author.Mender(worker.name, order),
        world.mutations,
        world::worked);
  }

  private CompletionStage<Intent> intent(int partition, long offset) {
    return later(() -> (Intent) world.judgings.get(partition).at(Judging.Feed.INTENTS, offset));
  }

  private CompletionStage<Optional<Long>> version(
      RelationConfig relation, String instance, long floor) {
    if (!relation.version().mintable()) {
      return CompletableFuture.completedStage(
          Optional.of(Math.max(world.scheduler.now(), floor + 1)));
    }
    StoreKey counter = relation.counterOf(instance).orElseThrow();
    Store store = world.stores.get(counter.store());
    return wires
        .get(counter.store())
        .call(() -> "mints above " + floor, () -> Optional.of(store.next(counter, floor)));
  }

  private CompletionStage<Truth> truth(RelationConfig relation, String instance) {
    return later(
        () -> {
          Truth truth = world.truthOf(instance);
          world.scheduler.tell(worker, () -> "reads the truth of " + world.truthWord(instance));
          return truth;
        });
  }

  private <T> CompletionStage<T> later(java.util.function.Supplier<T> read) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    world.scheduler.soon(
        worker,
        () -> {
          if (world.scheduler.chance(world.plan.faults())) {
            answer.completeExceptionally(
                new TruthUnavailableException("no answer", new IllegalStateException()));
          } else {
            answer.complete(read.get());
          }
        });
    return answer;
  }
}
