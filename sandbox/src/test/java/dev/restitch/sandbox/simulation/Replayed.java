package dev.restitch.sandbox.simulation;

import dev.restitch.avro.Policy;
import dev.restitch.avro.RepairCommand;
import dev.restitch.model.StoreKey;
import dev.restitch.worker.policy.InvalidCommandException;
import dev.restitch.worker.policy.Repair;
import dev.restitch.worker.policy.RepairOrder;
import dev.restitch.writer.io.Stages;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Carries out every command once more, long afterwards and past every fence: it changes nothing,
 * save that a rewrite may come to say what the truth says by now.
 */
final class Replayed {

  private static final int MOST_STEPS = 2000;

  private final World world;

  Replayed(World world) {
    this.world = world;
  }

  void check() {
    Worker late = new Worker("replay", world);
    for (RepairCommand command : List.copyOf(world.group.all())) {
      Map<StoreKey, Value> before = standing(command);
      world.scheduler.tell(late, () -> "replays " + Words.shortened(command.getId()));
      try {
        RepairOrder order = RepairOrder.of(command, world.relations);
        if (deletes(order) || order.behind().stream().anyMatch(key -> again(order, key))) {
          continue;
        }
        finish(late.policy(command.getPolicy()).mend(order));
      } catch (InvalidCommandException | IllegalStateException e) {
        world.referee.violated("a command cannot be replayed: " + e.getMessage());
      } catch (RuntimeException stopped) {
        world.scheduler.tell(late, () -> "is stopped: " + stopped.getMessage());
      }
      boolean same = standing(command).equals(before);
      if (!same && command.getPolicy() != Policy.SOURCE_OF_TRUTH) {
        world.referee.violated(
            Words.shortened(command.getId()) + " changes something when replayed");
      }
    }
    world.referee.atRest();
  }

  /**
   * An owner has deleted a side that the command once filled, and that side only. It is absent as
   * it was then, and nothing tells the one absence from the other but the command's not-after.
   */
  private boolean again(RepairOrder order, StoreKey key) {
    return order.sides().contains(key)
        && order.expected().containsKey(key)
        && order.seenAbsent(key)
        && world.referee.deletedByOwner(key)
        && order.sides().stream().anyMatch(other -> carries(order, other));
  }

  private boolean carries(RepairOrder order, StoreKey key) {
    Value value = world.value(key);
    return value != null && order.torn().equals(value.stamp());
  }

  /** A delete that was finished: what has come to stand there again has its old stamp. */
  private boolean deletes(RepairOrder order) {
    return world.clients.stream().anyMatch(c -> c.deletes && order.torn().equals(c.stamp));
  }

  private void finish(CompletionStage<Repair> mending) {
    boolean[] ended = {false};
    mending.whenComplete(
        (repair, failure) -> {
          ended[0] = true;
          String what =
              failure == null ? repair.outcome().name() : Stages.cause(failure).getMessage();
          world.scheduler.tell("replay", () -> what);
        });
    for (int i = 0; !ended[0]; i++) {
      if (i > MOST_STEPS || !world.scheduler.step()) {
        throw new IllegalStateException("it does not end");
      }
    }
  }

  private Map<StoreKey, Value> standing(RepairCommand command) {
    Map<StoreKey, Value> standing = new LinkedHashMap<>();
    world
        .relations
        .ofInstance(command.getInstance())
        .orElseThrow()
        .keysOf(command.getInstance())
        .forEach(key -> standing.put(key, world.value(key)));
    return standing;
  }
}
