package dev.restitch.sandbox.simulation;

import dev.restitch.avro.KeyState;
import dev.restitch.avro.Policy;
import dev.restitch.avro.Reading;
import dev.restitch.avro.RepairCommand;
import dev.restitch.judge.Incident;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import dev.restitch.worker.policy.RepairOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Knows the rules, and nothing of how the judge or a policy keeps them. */
final class Referee {

  /** Commands of one incident at most; each policy has five tries. */
  private static final int MOST_COMMANDS = 24;

  private final World world;
  private final List<String> violations = new ArrayList<>();
  private final Set<String> incidents = new HashSet<>();
  private final Map<String, RepairCommand> commands = new HashMap<>();
  private final Map<String, Integer> ofIncident = new HashMap<>();

  /** The last change by a client, of each key. */
  private final Map<StoreKey, Value> lastByOwner = new HashMap<>();

  /** Transactions of which every side has stood at one time, or something newer. */
  private final Set<Stamp> stood = new HashSet<>();

  /** What stands by a command, or stood until somebody else changed it. */
  private final Set<String> effects = new HashSet<>();

  /** Sides that were filled from a source that had moved. */
  private final Map<StoreKey, Value> doubtful = new HashMap<>();

  Referee(World world) {
    this.world = world;
  }

  List<String> violations() {
    return violations;
  }

  void violated(String how) {
    violations.add(how);
    world.scheduler.tell("REFEREE", () -> how);
  }

  void incident(Incident incident) {
    if (incidents.add(incident.id)) {
      world.totals.verdict(incident.verdict.name());
    }
  }

  /** True if the last change by an owner has removed the key. */
  boolean deletedByOwner(StoreKey key) {
    return lastByOwner.containsKey(key) && lastByOwner.get(key) == null;
  }

  /** A reading has come to stand in a topic. */
  void recorded(Reading reading) {
    StoreKey key = new StoreKey(reading.getStore(), Bytes.copyOf(reading.getKey()));
    for (Client client : world.clients) {
      boolean carried =
          reading.getToken() != null
              && client.stamp != null
              && client.stamp.token().equals(Bytes.copyOf(reading.getToken()));
      boolean deleted =
          reading.getState() == KeyState.ABSENT && client.deletes && client.wrote.contains(key);
      client.noticed |= carried || deleted;
    }
  }

  void commanded(RepairCommand command) {
    RepairCommand before = commands.putIfAbsent(command.getId(), command);
    if (before != null && !sameMeaning(before, command)) {
      violated("two commands that are not the same have the id " + command.getId());
    }
    if (ofIncident.merge(command.getIncident(), 1, Integer::sum) > MOST_COMMANDS) {
      violated("incident " + command.getIncident() + " is commanded again and again");
    }
  }

  private static boolean sameMeaning(RepairCommand a, RepairCommand b) {
    return a.getToken().equals(b.getToken())
        && a.getVersion().equals(b.getVersion())
        && a.getPolicy() == b.getPolicy()
        && a.getBehind().equals(b.getBehind())
        && expected(a).equals(expected(b));
  }

  private static List<String> expected(RepairCommand command) {
    return command.getExpected().stream()
        .map(r -> r.getState() + "" + r.getVersion() + r.getToken() + r.getTokens())
        .toList();
  }

  void changed(StoreKey key, Value before, Value after, Author by) {
    if (by instanceof Author.Mender mender) {
      mended(key, before, after, mender);
    } else {
      lastByOwner.put(key, after);
    }
    noteWhole();
  }

  private void mended(StoreKey key, Value before, Value after, Author.Mender by) {
    if (!by.order().sides().contains(key)) {
      marked(by);
      return;
    }
    // the transaction's own writer may have written there what the command had before it
    boolean mine =
        before != null
            && effects.contains(
                by.order().command().getId()
                    + "/"
                    + by.order().command().getAttempt()
                    + key
                    + before.stamp());
    once(key, after, by);
    if (before == null) {
      filled(key, after, by);
      return;
    }
    boolean own = mine || by.sameCommand(before.by());
    if (!own && !asSeen(key, before, by.order())) {
      violated(by + " replaces " + before + " on " + key + ", which its command has not seen");
    }
    boolean ownStamp = by.order().command().getPolicy() != Policy.SOURCE_OF_TRUTH;
    if (!own
        && ownStamp
        && after != null
        && !by.order().relation().version().newer(after.stamp(), before.stamp())) {
      violated(by + " replaces " + before + " on " + key + " by " + after + ", which is not newer");
    }
  }

  /** What a command has written, and not taken back itself, it does not write again. */
  private void once(StoreKey key, Value after, Author.Mender by) {
    RepairCommand command = by.order().command();
    String effect = command.getId() + "/" + command.getAttempt() + key;
    if (after == null) {
      effects.removeIf(e -> e.startsWith(effect));
    } else if (!effects.add(effect + after.stamp()) && !world.failedOver) {
      violated(by + " writes " + after + " to " + key + " a second time");
    }
  }

  /** A marker says that all of a transaction stands, and so it must, or must have stood. */
  private void marked(Author.Mender by) {
    RepairOrder order = by.order();
    boolean rewrites = order.command().getPolicy() == Policy.SOURCE_OF_TRUTH;
    if (!rewrites && !stood.contains(order.torn())) {
      violated(by + " marks " + order.torn() + ", which has never stood on all its sides");
    }
  }

  private void noteWhole() {
    for (Client client : world.clients) {
      if (client.stamp != null
          && !stood.contains(client.stamp)
          && client.keys.stream().allMatch(key -> covered(client, world.value(key)))) {
        stood.add(client.stamp);
      }
    }
  }

  private static boolean covered(Client client, Value value) {
    return value == null
        ? client.deletes
        : client.stamp.equals(value.stamp()) || client.newer(value.stamp());
  }

  /** A side is filled from others, which must stand then. */
  private void filled(StoreKey key, Value after, Author.Mender by) {
    RepairOrder order = by.order();
    if (order.command().getPolicy() == Policy.SOURCE_OF_TRUTH) {
      return; // its source is the truth
    }
    boolean moved =
        order.expected().keySet().stream()
            .filter(k -> !k.equals(key))
            .filter(k -> order.seen(k).equals(after.stampSeen()))
            .map(world::value)
            .anyMatch(v -> v == null || !after.stamp().equals(v.stamp()));
    if (moved) {
      doubtful.put(key, after);
    }
  }

  /** What was filled from a source that had moved is taken back, unless the worker died over it. */
  private void takenBack() {
    doubtful.forEach(
        (key, value) -> {
          String worker = ((Author.Mender) value.by()).worker();
          boolean undisturbed =
              world.plan.faults() == 0 && !world.failedOver && !world.killed.contains(worker);
          if (undisturbed && world.value(key) == value) {
            violated(key + " was filled with " + value + " from a source that had moved");
          }
        });
  }

  /**
   * Where a delete is told of the judge cannot always tell whether it took effect: an absence shows
   * it only while it lasts, and only where no other delete explains it. Counted, and known.
   */
  private boolean deleteTold(String instance) {
    return world.clients.stream().anyMatch(c -> c.instance.equals(instance) && c.deletes && c.told);
  }

  private static boolean asSeen(StoreKey key, Value before, RepairOrder order) {
    Reading reading = order.expected().get(key);
    if (reading == null || before.stamp() == null) {
      return reading != null && reading.getState() == KeyState.UNSTAMPED;
    }
    return order.seen(key).equals(Optional.of(before.stamp()));
  }

  void atRest() {
    takenBack();
    for (Judging judging : world.judgings) {
      Incident open = judging.open();
      Expected expected = new Expected(world, judging.instance, lastByOwner);
      Optional<String> wrong = expected.wrong();
      if (wrong.isPresent() && open == null && deleteTold(judging.instance)) {
        world.totals.unseen++;
      } else if (wrong.isPresent() && open == null) {
        violated(judging.instance + ": " + wrong.get() + ", and nobody knows");
      } else if (wrong.isPresent() && !new Lawful(world, judging.instance).left(open)) {
        violated(
            judging.instance
                + ": "
                + wrong.get()
                + ", and "
                + open.verdict
                + " "
                + open.phase
                + " of "
                + open.stamp
                + " is left");
      } else if (wrong.isEmpty() && open != null && expected.certain()) {
        violated(
            judging.instance + " is whole, and " + open.verdict + " " + open.phase + " is open");
      }
      if (open != null) {
        world.totals.left++;
      }
    }
  }
}
