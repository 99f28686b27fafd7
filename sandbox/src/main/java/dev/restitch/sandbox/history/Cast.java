package dev.restitch.sandbox.history;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The instances of a generated history, by relation. */
final class Cast {

  private static final Map<String, List<String>> SIDES =
      Map.of(
          "user", List.of("profile", "settings"),
          "order", List.of("head", "lines", "totals", "notes"),
          "doc", List.of("body", "index"),
          "price", List.of("list", "sale"),
          "pay", List.of("debit", "credit"),
          "acct", List.of("balance"));

  /** Out of ten writes, so many go to each relation. */
  private static final List<String> WEIGHTS =
      List.of("user", "user", "user", "user", "order", "order", "doc", "price", "pay", "acct");

  private final Random random;
  private final Map<String, List<Subject>> subjects = new LinkedHashMap<>();

  Cast(int perRelation, Random random) {
    this.random = random;
    for (String relation : List.of("user", "order", "doc", "price", "pay", "acct")) {
      List<Subject> all = new ArrayList<>(perRelation);
      for (int id = 0; id < perRelation; id++) {
        all.add(new Subject(relation, id, SIDES.get(relation)));
      }
      subjects.put(relation, all);
    }
  }

  String anyRelation() {
    return WEIGHTS.get(random.nextInt(WEIGHTS.size()));
  }

  /** An instance that is not torn. */
  Subject any(String relation) {
    List<Subject> all = subjects.get(relation);
    Subject chosen = all.get(random.nextInt(all.size()));
    while (chosen.torn) {
      chosen = all.get(random.nextInt(all.size()));
    }
    return chosen;
  }

  /** An instance that is not torn, and that nobody writes to at this time. */
  Subject idle(String relation, long at) {
    Subject chosen = any(relation);
    while (chosen.busyUntil >= at) {
      chosen = any(relation);
    }
    return chosen;
  }
}
