package dev.restitch.writer;

import dev.restitch.config.RelationConfig;
import dev.restitch.config.VersionConfig;
import dev.restitch.model.Bytes;
import dev.restitch.stamp.Stamp;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Compares the sides of one instance by their stamps. Says no more than stamps can tell: where
 * every transaction writes every side, they must be equal; elsewhere unequal stamps are ordinary,
 * and only a side without a stamp beside one that has it, or one version of a counter given to two
 * transactions, is out of order. Pure.
 */
final class Comparison {

  private final RelationConfig relation;
  private final List<SideRead> sides;

  Comparison(RelationConfig relation, List<SideRead> sides) {
    this.relation = relation;
    this.sides = sides;
  }

  Consistency consistency() {
    if (sides.size() == 1 && relation.sides().size() > 1) {
      return Consistency.UNKNOWN;
    }
    boolean stamped = any(SideState.STAMPED);
    boolean unstamped = any(SideState.UNSTAMPED);
    if (stamped && unstamped) {
      return Consistency.MISMATCH;
    }
    boolean unequal = stamped && (relation.log() ? logsDiffer() : stampsDiffer());
    if (unequal && (relation.writesAll() || collision())) {
      return Consistency.MISMATCH;
    }
    return unequal || unstamped || any(SideState.UNREADABLE)
        ? Consistency.UNKNOWN
        : Consistency.WHOLE;
  }

  /** Two sides differ in their stamps, or one lacks what another has. */
  private boolean stampsDiffer() {
    return any(SideState.ABSENT)
        || sides.stream().filter(SideRead::stamped).map(SideRead::stamp).distinct().count() > 1;
  }

  /** Two transactions have one version of a counter. */
  private boolean collision() {
    if (relation.log() || relation.version().order() != VersionConfig.Order.COUNTER) {
      return false;
    }
    List<Stamp> stamps =
        sides.stream().filter(SideRead::stamped).map(SideRead::stamp).distinct().toList();
    Set<Long> versions = new HashSet<>();
    return stamps.stream().anyMatch(s -> s.version() != null && !versions.add(s.version()));
  }

  private boolean logsDiffer() {
    return sides.stream().anyMatch(this::lacksAToken);
  }

  /** A token stands in another log, and not in this one, though its window reaches as far back. */
  private boolean lacksAToken(SideRead log) {
    if (log.state() == SideState.UNREADABLE) {
      return false;
    }
    List<Bytes> mine = log.tokens();
    Set<Bytes> known = new HashSet<>(mine);
    for (SideRead other : sides) {
      List<Bytes> theirs = other.tokens();
      int from = mine.isEmpty() ? 0 : Math.max(0, theirs.indexOf(mine.get(0)));
      if (!known.containsAll(theirs.subList(from, theirs.size()))) {
        return true;
      }
    }
    return false;
  }

  /** As {@link ReadResult#mostRecent} says. */
  Optional<SideRead> mostRecent() {
    if (any(SideState.UNSTAMPED)) {
      return Optional.empty();
    }
    return sides.stream()
        .filter(SideRead::stamped)
        .filter(relation.log() ? s -> !lacksAToken(s) : this::outranksAll)
        .findFirst();
  }

  private boolean outranksAll(SideRead side) {
    return sides.stream()
        .filter(SideRead::stamped)
        .allMatch(
            other ->
                other.stamp().equals(side.stamp())
                    || relation.version().newer(side.stamp(), other.stamp()));
  }

  private boolean any(SideState state) {
    return sides.stream().anyMatch(s -> s.state() == state);
  }
}
