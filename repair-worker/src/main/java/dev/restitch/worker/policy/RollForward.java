package dev.restitch.worker.policy;

import dev.restitch.avro.Intent;
import dev.restitch.avro.Outcome;
import dev.restitch.avro.RepairCommand;
import dev.restitch.avro.Write;
import dev.restitch.avro.WriteOp;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.model.Verdict;
import dev.restitch.stamp.Stamp;
import dev.restitch.worker.apply.Change;
import dev.restitch.worker.apply.Expectation;
import dev.restitch.worker.apply.Order;
import dev.restitch.worker.apply.Payload;
import dev.restitch.worker.apply.SideStore;
import dev.restitch.worker.truth.IntentSource;
import dev.restitch.worker.truth.PayloadSource;
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
 * that its intent carries or refers to. An uncommitted one is given its marker when all its sides
 * stand.
 */
public final class RollForward implements RepairPolicy {

  private final SideStore sides;
  private final IntentSource intents;
  private final IntentPayloads payloads;
  private final Appending appending;
  private final Filling filling;

  public RollForward(SideStore sides, IntentSource intents, PayloadSource references) {
    this.sides = sides;
    this.intents = intents;
    this.payloads = new IntentPayloads(references);
    this.appending = new Appending(sides);
    this.filling = new Filling(sides);
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

  /** One key, and all that is needed to write it, before anything is written. */
  private record Step(StoreKey side, Write write, Payload payload, Expectation expected) {}

  private CompletionStage<Repair> finish(RepairOrder order, Intent intent) {
    Stamp stamp = stamp(order, intent);
    return Stages.all(order.behind().stream().map(side -> step(order, intent, side)).toList())
        .thenCompose(
            steps ->
                Stages.all(steps.stream().map(step -> finish(order, intent, stamp, step)).toList()))
        .thenCompose(all -> mark(order, intent, all))
        .thenApply(all -> Repair.of(stamp, all));
  }

  /** The transaction's stamp; a log's entries are told apart by their token alone. */
  private static Stamp stamp(RepairOrder order, Intent intent) {
    Bytes token = Bytes.copyOf(intent.getToken());
    boolean same =
        token.equals(order.torn().token())
            && (order.relation().log()
                || Objects.equals(intent.getVersion(), order.torn().version()));
    if (!same) {
      throw new RepairStopped(Outcome.FAILED, "the intent there is another transaction's");
    }
    boolean versioned = order.relation().stamp().hasVersion();
    if (versioned && intent.getVersion() == null) {
      throw new RepairStopped(Outcome.FAILED, "the intent has no version, and the stamp needs one");
    }
    return new Stamp(versioned ? intent.getVersion() : null, token);
  }

  private CompletionStage<Step> step(RepairOrder order, Intent intent, StoreKey side) {
    Write write =
        write(intent, side)
            .orElseThrow(
                () -> new RepairStopped(Outcome.FAILED, "the intent does not write " + side));
    Expectation expected = order.expectation(side);
    requireNewer(order, side);
    if (order.relation().log() != (write.getOp() == WriteOp.APPEND)) {
      throw new RepairStopped(
          Outcome.FAILED, "the intent's " + write.getOp() + " is not for a side like " + side);
    }
    return write.getOp() == WriteOp.DELETE
        ? CompletableFuture.completedStage(new Step(side, write, null, expected))
        : payloads
            .of(write)
            .thenApply(said -> new Step(side, write, order.payload(side, said), expected));
  }

  /** What stands there and is not certainly older is not overwritten, whoever commands it. */
  private static void requireNewer(RepairOrder order, StoreKey side) {
    Optional<Stamp> seen = order.relation().log() ? Optional.empty() : order.seen(side);
    if (seen.isEmpty() || Order.newer(order.relation(), order.torn(), seen.get())) {
      return;
    }
    boolean superseded = Order.newer(order.relation(), seen.get(), order.torn());
    throw new RepairStopped(
        superseded ? Outcome.SUPERSEDED : Outcome.FAILED,
        side + " had " + seen.get() + ", which is not known to be older than " + order.torn());
  }

  private static Optional<Write> write(Intent intent, StoreKey side) {
    return intent.getWrites().stream()
        .filter(w -> new StoreKey(w.getStore(), Bytes.copyOf(w.getKey())).equals(side))
        .findFirst();
  }

  private CompletionStage<Change> finish(RepairOrder order, Intent intent, Stamp stamp, Step step) {
    Write write = step.write();
    return switch (write.getOp()) {
      case DELETE -> sides.compareAndDelete(order.side(step.side()), step.expected());
      case APPEND ->
          appending.append(
              order,
              step.side(),
              stamp,
              step.payload().said(),
              write.getScore(),
              write.getTtlMillis());
      case PUT ->
          filling
              .mayFill(order, step.expected(), stamp, order.carriers())
              .thenCompose(
                  may ->
                      may
                          ? put(order, intent, stamp, step)
                          : filling.moved(order, step.side(), stamp));
    };
  }

  private CompletionStage<Change> put(RepairOrder order, Intent intent, Stamp stamp, Step step) {
    return expiry(order, intent, step)
        .thenCompose(
            expiry ->
                sides.compareAndSet(
                    order.side(step.side()), step.expected(), stamp, step.payload(), expiry))
        .thenCompose(
            change ->
                filling.confirm(
                    order, change, step.expected(), stamp, step.payload(), order.carriers()));
  }

  /**
   * The transaction's own time to live, or what a sibling with the same one has left of it; else
   * what stands is kept, or that of a finished sibling.
   */
  private CompletionStage<Expiry> expiry(RepairOrder order, Intent intent, Step step) {
    Long ttl = step.write().getTtlMillis();
    if (ttl == null) {
      return order.seenAbsent(step.side())
          ? SiblingExpiry.of(sides, order.carriers())
          : CompletableFuture.completedStage(Expiry.KEEP);
    }
    Expiry own = Expiry.afterMillis(Math.max(1, ttl));
    return order.carriers().stream()
        .filter(key -> write(intent, key).filter(w -> ttl.equals(w.getTtlMillis())).isPresent())
        .findFirst()
        .map(
            like ->
                sides
                    .ttlMillis(like)
                    .thenApply(left -> left > 0 && left < ttl ? Expiry.afterMillis(left) : own))
        .orElseGet(() -> CompletableFuture.completedStage(own));
  }

  /** The sides that were not to be mended had the transaction, or something newer. */
  private static boolean othersStood(RepairOrder order, Intent intent) {
    return order.sides().stream()
        .filter(side -> !order.behind().contains(side))
        .allMatch(
            side -> {
              Optional<Write> write = write(intent, side);
              if (write.isEmpty()) {
                return true;
              }
              if (!order.expected().containsKey(side)) {
                return false;
              }
              Optional<Stamp> seen = order.seen(side);
              return seen.isPresent()
                  ? seen.get().equals(order.torn())
                      || Order.newer(order.relation(), seen.get(), order.torn())
                  : write.get().getOp() == WriteOp.DELETE && order.seenAbsent(side);
            });
  }

  private CompletionStage<List<Change>> mark(
      RepairOrder order, Intent intent, List<Change> changes) {
    Optional<StoreKey> marker = order.marker();
    if (order.verdict() != Verdict.UNCOMMITTED
        || marker.isEmpty()
        || !othersStood(order, intent)
        || !changes.stream().allMatch(Change::stands)) {
      return CompletableFuture.completedStage(changes);
    }
    // a failover may have taken the other sides away since they were judged
    return Stages.all(
            order.carriers().stream()
                .map(key -> sides.carries(order.side(key), order.torn()))
                .toList())
        .thenCompose(
            carried ->
                carried.contains(false)
                    ? CompletableFuture.completedStage(changes)
                    : mark(order, marker.get(), changes));
  }

  private CompletionStage<List<Change>> mark(
      RepairOrder order, StoreKey marker, List<Change> changes) {
    Duration ttl = order.relation().marker().ttl();
    return sides
        .mark(marker, ttl == null ? Expiry.NONE : Expiry.after(ttl))
        .thenApply(
            marked -> {
              List<Change> all = new ArrayList<>(changes);
              all.add(marked);
              return all;
            });
  }
}
