package dev.restitch.config;

import dev.restitch.config.RepairPolicyConfig.Policy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks what no single section can tell: whether relations, stores and sources agree. */
final class CrossCheck {

  private final Problems problems;
  private final Collection<RelationConfig> relations;

  CrossCheck(Problems problems, Collection<RelationConfig> relations) {
    this.problems = problems;
    this.relations = relations;
  }

  private record Declared(RelationConfig relation, SideConfig side) {

    String path() {
      return "relations." + relation.name() + ".sides." + side.name() + ".key";
    }

    @Override
    public String toString() {
      return relation.name() + "." + side.name() + " (" + side.key() + ")";
    }

    boolean overlaps(Declared other) {
      return side.store().equals(other.side.store()) && side.key().overlaps(other.side.key());
    }
  }

  /** A (store, key) pair belongs to one side only. */
  void overlaps() {
    List<Declared> seen = new ArrayList<>();
    for (RelationConfig relation : relations) {
      for (SideConfig side : relation.sides()) {
        if (side.store() == null || side.key() == null) {
          continue;
        }
        Declared next = new Declared(relation, side);
        seen.stream().filter(next::overlaps).forEach(first -> report(first, next));
        seen.add(next);
      }
    }
  }

  private void report(Declared first, Declared second) {
    problems.add(
        second.path(),
        "some keys of store "
            + second.side().store()
            + " would belong to both "
            + first
            + " and "
            + second
            + "; a key belongs to one side only");
  }

  void unusedStores(Set<String> stores) {
    Set<String> used =
        relations.stream()
            .flatMap(StoreBinder::used)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    for (String store : stores) {
      if (!used.contains(store)) {
        problems.add("stores." + store, "is used by no relation; remove it, or name it in a side");
      }
    }
  }

  /** Every source is used, and answers for every side of every relation that uses it. */
  void sources(Map<String, SourceConfig> sources) {
    for (SourceConfig source : sources.values()) {
      String path = "sources." + source.name();
      List<RelationConfig> users = relations.stream().filter(r -> uses(r, source.name())).toList();
      if (users.isEmpty()) {
        problems.add(path, "is used by no relation; remove it, or name it in a repair policy");
        continue;
      }
      Set<String> sides = new LinkedHashSet<>();
      for (RelationConfig relation : users) {
        for (SideConfig side : relation.sides()) {
          if (sides.add(side.name()) && !source.query().containsKey(side.name())) {
            problems.add(
                path + ".query." + side.name(),
                "is missing; relation " + relation.name() + " has a side of this name");
          }
        }
      }
      for (String query : source.query().keySet()) {
        if (!sides.contains(query)) {
          problems.add(
              path + ".query." + query,
              "is the side of no relation that uses this source; " + Nearest.hint(query, sides));
        }
      }
    }
  }

  private static boolean uses(RelationConfig relation, String source) {
    return relation.repair().stream()
        .anyMatch(p -> p.policy() == Policy.SOURCE_OF_TRUTH && source.equals(p.source()));
  }
}
