package dev.restitch.config;

import dev.restitch.config.RepairPolicyConfig.Policy;
import dev.restitch.config.VersionConfig.Order;
import java.util.List;
import java.util.stream.IntStream;

/** Checks what no single key of a relation can tell: whether its keys agree. */
final class RelationCheck {

  private final Section section;
  private final RelationConfig relation;
  private final Order order;

  private RelationCheck(Section section, RelationConfig relation) {
    this.section = section;
    this.relation = relation;
    this.order = relation.version().order();
  }

  static void run(Section section, RelationConfig relation) {
    RelationCheck check = new RelationCheck(section, relation);
    check.order();
    check.times();
    check.marker();
    for (int i = 0; i < relation.repair().size(); i++) {
      check.policy("repair." + i, relation.repair().get(i));
    }
  }

  private void order() {
    boolean orderIsWrong = section.has("version") && order == Order.NONE && !orderSaysNone();
    if (!relation.writesAll() && order == Order.NONE && !isLog() && !orderIsWrong) {
      section.problem(
          "writes",
          "is some, which needs an order; set version: { order: counter } or { order: timestamp,"
              + " max-skew: 250ms }, or writes: all");
    }
    if (order != Order.NONE && relation.stamp() != null && !relation.stamp().hasVersion()) {
      section.problem(
          "stamp",
          "has no {version} or {timestamp}, which order "
              + (order == Order.COUNTER ? "counter" : "timestamp")
              + " needs");
    }
  }

  /** False where the order could not be read, which is a problem of its own. */
  private boolean orderSaysNone() {
    return section.names("version").text("order").filter("none"::equals).isPresent();
  }

  private void times() {
    if (relation.memory().compareTo(relation.settle()) < 0) {
      section.problem("memory", "must not be shorter than settle");
    }
  }

  private void marker() {
    if (relation.marker() != null && relation.stamp() != null && !relation.stamp().hasToken()) {
      section.problem("stamp", "has no {token}, which the commit marker is named by");
    }
  }

  private void policy(String path, RepairPolicyConfig config) {
    if (config.policy() == Policy.MARK && relation.marker() == null) {
      section.problem(path + ".policy", "is mark, which needs a marker in the relation");
    }
    if (config.policy() == Policy.ACCEPT_NEWEST) {
      acceptNewest(path, config);
    }
    if (config.policy() == Policy.SOURCE_OF_TRUTH
        && order != Order.NONE
        && !section.names("version").has("key")
        && !section.names("version").has("store")) {
      section.problem(
          path + ".policy",
          "is source-of-truth, which mints a version; set version.store and version.key of the"
              + " relation");
    }
  }

  private void acceptNewest(String path, RepairPolicyConfig config) {
    if (isLog()) {
      section.problem(path + ".policy", "is accept-newest, which no log allows; use roll-forward");
    } else if (Regeneration.COPY.equals(config.regenerate()) && !payloadIsShared()) {
      section.problem(
          path + ".regenerate",
          "is copy, but no two sides name the same payload; give payload: NAME to the sides that"
              + " carry the same thing");
    }
  }

  private boolean payloadIsShared() {
    List<SideConfig> sides = relation.sides();
    return IntStream.range(0, sides.size())
        .anyMatch(side -> !Regeneration.COPY.sourcesOf(sides, side).isEmpty());
  }

  private boolean isLog() {
    return relation.sides().stream().anyMatch(side -> side.type().log());
  }
}
