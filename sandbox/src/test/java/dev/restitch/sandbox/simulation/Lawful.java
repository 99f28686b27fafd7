package dev.restitch.sandbox.simulation;

import dev.restitch.config.RelationConfig;
import dev.restitch.judge.Incident;
import dev.restitch.model.StoreKey;
import dev.restitch.model.Verdict;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** Says which incidents may be left to people, by the table of MODEL.md. */
final class Lawful {

  private static final Set<Verdict> ACCEPT_NEWEST =
      EnumSet.of(Verdict.COMMITTED_TORN, Verdict.TORN_OVERWRITTEN, Verdict.TORN_MISSING);

  private static final Set<Verdict> ROLL_FORWARD =
      EnumSet.of(
          Verdict.TORN_CROSSED,
          Verdict.COMMITTED_TORN,
          Verdict.TORN_OVERWRITTEN,
          Verdict.UNCOMMITTED,
          Verdict.TORN_MISSING);

  private final World world;
  private final String instance;
  private final RelationConfig relation;

  Lawful(World world, String instance) {
    this.world = world;
    this.instance = instance;
    this.relation = world.relations.ofInstance(instance).orElseThrow();
  }

  /** True if nothing could be done about it, or all was tried. */
  boolean left(Incident incident) {
    if (exhausted(incident)) {
      return true;
    }
    return !world.hasTruth(relation)
        && !acceptable(incident)
        && !finishable(incident)
        && !incident.verdict.aboutMarker();
  }

  private static boolean exhausted(Incident incident) {
    return (incident.phase == Incident.Phase.MANUAL || incident.phase == Incident.Phase.FAILED)
        && incident.attempts >= 5;
  }

  private Optional<Client> torn(Incident incident) {
    return world.clients.stream()
        .filter(c -> c.instance.equals(instance) && incident.stamp.equals(c.stamp))
        .findFirst();
  }

  private boolean acceptable(Incident incident) {
    Optional<Client> torn = torn(incident);
    Optional<Client> newest =
        world.clients.stream()
            .filter(c -> c.instance.equals(instance) && !c.wrote.isEmpty() && c.noticed)
            .max(Comparator.comparingLong(c -> c.stamp.version()));
    return relation.sides().get(0).payload() != null
        && ACCEPT_NEWEST.contains(incident.verdict)
        && torn.isPresent()
        && torn.equals(newest)
        && torn.get().keys.stream().anyMatch(k -> carries(k, incident));
  }

  private boolean carries(StoreKey key, Incident incident) {
    Value value = world.value(key);
    return value != null && incident.stamp.equals(value.stamp());
  }

  private boolean finishable(Incident incident) {
    return ROLL_FORWARD.contains(incident.verdict)
        && torn(incident).filter(c -> c.told).isPresent()
        && incident.behind.stream().allMatch(key -> older(key, incident));
  }

  /** Absent, or certainly older than the torn transaction. */
  private boolean older(StoreKey key, Incident incident) {
    Value value = world.value(key);
    return value == null || relation.version().newer(incident.stamp, value.stamp());
  }
}
