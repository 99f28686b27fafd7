package dev.restitch.config;

import dev.restitch.stamp.StampTemplate;
import java.util.List;

/**
 * Binds the stamp of one relation. Where every side is a hash it may be left out, and says the same
 * as the fields of the first.
 */
final class StampBinder {

  private static final String EXAMPLE = "stamp: \"{version}:{token}:{payload}\"";

  private StampBinder() {}

  /** Null where it cannot be read. */
  static StampTemplate bind(Section relation, List<SideConfig> sides) {
    StampTemplate stamp = template(relation, sides);
    if (stamp == null) {
      return null;
    }
    if (sides.stream().anyMatch(side -> side.type().log()) && !stamp.hasToken()) {
      relation.problem("stamp", "has no {token}, by which the entries of logs are told apart");
    }
    for (SideConfig side : sides) {
      if (side.type() == SideType.HASH) {
        checkField(relation, side, "version", side.versionField(), stamp.hasVersion());
        checkField(relation, side, "token", side.tokenField(), stamp.hasToken());
      }
    }
    return stamp;
  }

  private static StampTemplate template(Section relation, List<SideConfig> sides) {
    boolean hashes = !sides.isEmpty() && sides.stream().allMatch(s -> s.type() == SideType.HASH);
    if (!hashes || relation.has("stamp")) {
      return relation
          .parse("stamp", relation.required("stamp", EXAMPLE), StampTemplate::parse)
          .orElse(null);
    }
    SideConfig first = sides.get(0);
    if (first.versionField() == null && first.tokenField() == null) {
      return null;
    }
    return StampTemplate.parse(
        (first.versionField() == null ? "" : "{version}:")
            + (first.tokenField() == null ? "" : "{token}:")
            + "{payload}");
  }

  private static void checkField(
      Section relation, SideConfig side, String field, String given, boolean inStamp) {
    String path = "sides." + side.name() + ".fields." + field;
    if (inStamp && given == null) {
      relation.problem(path, "is missing; the stamp of the relation has {" + field + "}");
    } else if (!inStamp && given != null) {
      relation.problem(path, "has no use; the stamp of the relation has no {" + field + "}");
    }
  }
}
