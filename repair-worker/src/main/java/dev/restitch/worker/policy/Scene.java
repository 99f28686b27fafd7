package dev.restitch.worker.policy;

import dev.restitch.avro.Reading;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import dev.restitch.worker.apply.Change;
import dev.restitch.worker.apply.Expectation;
import dev.restitch.worker.apply.Order;
import dev.restitch.worker.apply.Standing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * What a source-of-truth rewrite finds: per side either what the command expects, or an earlier
 * write of the command itself, or something that forbids to go on. Immutable.
 *
 * @param own the sides that the command has written before
 * @param expected what must still stand on the others, where they hold what was expected
 * @param surprises the sides that hold something else
 * @param floor the highest version seen; zero if none
 */
record Scene(
    Map<StoreKey, Own> own,
    Map<StoreKey, Expectation> expected,
    List<Change> surprises,
    long floor) {

  /**
   * A side that the command has written before.
   *
   * @param expected how to know it again
   */
  record Own(int generation, Stamp stamp, Expectation expected) {}

  /**
   * Sorts what stands.
   *
   * @param standing by side, in side order
   * @param remembered what this process has written for the command, where stamps have no token
   * @throws RepairStopped if what was seen cannot be compared
   */
  static Scene of(
      RepairOrder order, Map<StoreKey, Standing> standing, Map<StoreKey, Own> remembered) {
    RewriteTokens tokens = new RewriteTokens(order.command().getId());
    Map<StoreKey, Own> own = new LinkedHashMap<>();
    List<StoreKey> others = new ArrayList<>();
    long floor = expectedFloor(order);
    for (Map.Entry<StoreKey, Standing> entry : standing.entrySet()) {
      Own mine = own(order, tokens, entry.getValue(), remembered.get(entry.getKey()));
      if (mine != null) {
        own.put(entry.getKey(), mine);
        floor = Math.max(floor, versionOr(mine.stamp(), 0));
      } else {
        others.add(entry.getKey());
      }
    }
    Map<StoreKey, Expectation> expected = new LinkedHashMap<>();
    List<Change> surprises = new ArrayList<>();
    for (StoreKey side : others) {
      if (asExpected(order, side, standing.get(side))) {
        expected.put(side, order.expectation(side));
      } else {
        surprises.add(surprise(order, side, standing.get(side), floor));
      }
    }
    return new Scene(own, expected, surprises, floor);
  }

  private static Own own(
      RepairOrder order, RewriteTokens tokens, Standing standing, Own remembered) {
    if (standing.stamp().isEmpty()) {
      boolean removed = remembered != null && remembered.expected() instanceof Expectation.Absent;
      return removed && !standing.present() ? remembered : null;
    }
    Stamp stamp = standing.stamp().get();
    if (!order.relation().stamp().hasToken()) {
      return remembered != null && remembered.stamp().equals(stamp) ? remembered : null;
    }
    OptionalInt generation = tokens.generation(stamp.token());
    return generation.isEmpty()
        ? null
        : new Own(generation.getAsInt(), stamp, new Expectation.Stamped(stamp));
  }

  private static long expectedFloor(RepairOrder order) {
    Long highest = order.command().getHighestVersion();
    long floor = highest == null ? 0 : highest;
    for (Reading reading : order.expected().values()) {
      floor = Math.max(floor, reading.getVersion() == null ? 0 : reading.getVersion());
    }
    return floor;
  }

  private static boolean asExpected(RepairOrder order, StoreKey side, Standing standing) {
    return switch (order.expected().get(side).getState()) {
      case ABSENT -> !standing.present();
      case STAMPED -> standing.stamp().equals(order.seen(side));
      case UNSTAMPED -> standing.present() && standing.stamp().isEmpty();
      case UNREADABLE, PRESENT -> false;
    };
  }

  private static Change surprise(RepairOrder order, StoreKey side, Standing standing, long floor) {
    boolean newer =
        standing.stamp().isPresent()
            && Order.newer(order.relation(), standing.stamp().get(), new Stamp(floor, Bytes.EMPTY));
    return new Change(
        side,
        newer ? Change.Kind.SUPERSEDED : Change.Kind.CONFLICT,
        standing,
        order.seen(side).map(Stamp::toString).orElse("nothing stamped"));
  }

  /** The latest generation that the command has begun; -1: none. */
  int generation() {
    return own.values().stream().mapToInt(Own::generation).max().orElse(-1);
  }

  /**
   * The stamp of a generation that has been begun; the highest, where two workers have begun it at
   * once, each with a version of its own.
   */
  Stamp stampOf(int generation) {
    return own.values().stream()
        .filter(o -> o.generation() == generation)
        .map(Own::stamp)
        .max(Comparator.comparingLong(stamp -> versionOr(stamp, 0)))
        .orElseThrow();
  }

  /** What must still stand on a side. */
  Expectation expectation(StoreKey side) {
    Own mine = own.get(side);
    return mine != null ? mine.expected() : expected.get(side);
  }

  private static long versionOr(Stamp stamp, long other) {
    return stamp.version() == null ? other : stamp.version();
  }
}
