package dev.restitch.config;

import dev.restitch.key.KeyPattern;
import java.util.Optional;
import java.util.Set;

/** Key patterns that are filled from an instance: they may use its captures and nothing else. */
final class Captures {

  private Captures() {}

  /** The pattern at {@code key}, which must be there. */
  static Optional<KeyPattern> pattern(Section section, Set<String> known, String example) {
    Optional<KeyPattern> pattern =
        section.parse("key", section.required("key", example), KeyPattern::parse);
    pattern.ifPresent(p -> check(section, p, known));
    return pattern;
  }

  private static void check(Section section, KeyPattern pattern, Set<String> known) {
    for (String name : pattern.names()) {
      if (!known.contains(name)) {
        section.problem(
            "key", "uses {" + name + "}, which is not captured; " + Nearest.hint(name, known));
      }
    }
  }
}
