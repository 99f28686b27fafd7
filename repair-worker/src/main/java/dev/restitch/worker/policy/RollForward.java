package dev.restitch.worker.policy;

import dev.restitch.avro.Intent;
import dev.restitch.avro.Outcome;
import dev.restitch.avro.RepairCommand;
import dev.restitch.avro.Write;
import dev.restitch.avro.WriteOp;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.model.Verdict;
import dev.restitch.worker.apply.Change;
import dev.restitch.worker.apply.Expectation;
import dev.restitch.worker.apply.SideStore;
import dev.restitch.worker.truth.IntentSource;
import dev.restitch.writer.Digests;
import dev.restitch.writer.Expiry;
import dev.restitch.writer.io.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Finishes the torn transaction on the keys that are behind, with its own stamp and the payloads
 * that stand in its intent. An uncommitted one is given its marker when all its sides stand.
 */
public final class RollForward implements RepairPolicy {

  private final SideStore sides;
  private final IntentSource intents;

  public RollForward(SideStore sides, IntentSource intents) {
    this.sides = sides;
    this.intents = intents;
  }

  @Override
  public CompletionStage<Repair> mend(RepairOrder order) {
    RepairCommand command = order.command();
    if (command.getIntentPartition() == null || command.getIntentOffset() == null) {
      throw new RepairStopped(Outcome.FAILED, "the command does not say where the intent is");
    }
    return intents
        .at(command.getIntentPartition(), command.getIntentOffset())
        .thenCompose(intent -> finish(order, intent));
  }

  private CompletionStage<Repair> finish(RepairOrder order, Intent intent) {
    Bytes token = Bytes.copyOf(intent.getToken());
    if (!token.equals(order.torn().token())
        || !Objects.equals(intent.getVersion(), order.torn().version())) {
      throw new RepairStopped(Outcome.FAILED, "the intent there is another transaction's");
    }
    List<Step> steps =
        order.behind().stream()
            .map(side -> new Step(side, write(intent, side), order.expectation(side)))
            .toList();
    List<CompletionStage<Change>> changes =
        steps.stream().map(step -> finish(order, step)).toList();
    return Stages.all(changes)
        .thenCompose(all -> mark(order, all))
        .thenApply(all -> Repair.of(order.torn(), all));
  }

  private record Step(StoreKey side, Write write, Expectation expected) {}

  private static Write write(Intent intent, StoreKey side) {
    Write write =
        intent.getWrites().stream()
            .filter(w -> new StoreKey(w.getStore(), Bytes.copyOf(w.getKey())).equals(side))
            .findFirst()
            .orElseThrow(
                () -> new RepairStopped(Outcome.FAILED, "the intent does not write " + side));
    if (write.getOp() == WriteOp.APPEND) {
      throw new RepairStopped(Outcome.FAILED, "appends are not rolled forward");
    }
    if (write.getOp() == WriteOp.PUT) {
      if (write.getPayload() == null) {
        throw new RepairStopped(Outcome.FAILED, "the intent does not carry the payload of " + side);
      }
      if (write.getDigest() != null
          && !Digests.sha256(Bytes.copyOf(write.getPayload()).toArray())
              .equals(Bytes.copyOf(write.getDigest()))) {
        throw new RepairStopped(
            Outcome.FAILED, "the payload in the intent is not what its digest says");
      }
    }
    return write;
  }

  private CompletionStage<Change> finish(RepairOrder order, Step step) {
    StoreKey side = step.side();
    Write write = step.write();
    if (write.getOp() == WriteOp.DELETE) {
      return sides.compareAndDelete(order.relation(), side, step.expected());
    }
    byte[] value =
        order.relation().stamp().write(order.torn(), Bytes.copyOf(write.getPayload()).toArray());
    return expiry(order, side, write)
        .thenCompose(
            expiry ->
                sides.compareAndSet(
                    order.relation(), side, step.expected(), order.torn(), value, expiry));
  }

  /**
   * The transaction's own time to live; else what stands is kept, or that of a finished sibling.
   */
  private CompletionStage<Expiry> expiry(RepairOrder order, StoreKey side, Write write) {
    if (write.getTtlMillis() != null) {
      return CompletableFuture.completedStage(
          Expiry.afterMillis(Math.max(1, write.getTtlMillis())));
    }
    if (!order.seenAbsent(side)) {
      return CompletableFuture.completedStage(Expiry.KEEP);
    }
    List<StoreKey> finished =
        order.expected().keySet().stream()
            .filter(key -> order.seen(key).equals(Optional.of(order.torn())))
            .sorted()
            .toList();
    return SiblingExpiry.of(sides, finished);
  }

  private CompletionStage<List<Change>> mark(RepairOrder order, List<Change> changes) {
    Optional<StoreKey> marker = order.marker();
    if (order.verdict() != Verdict.UNCOMMITTED
        || marker.isEmpty()
        || !changes.stream().allMatch(Change::stands)) {
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
