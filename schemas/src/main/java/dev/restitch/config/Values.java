package dev.restitch.config;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads single values of a {@link Section}, each with its default and its bounds. */
final class Values {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

  private Values() {}

  /** A duration; must be longer than zero. The default may be null. */
  static Duration duration(Section section, String key, Duration fallback) {
    Duration duration = durationOrZero(section, key, fallback);
    if (duration != null && duration.isZero()) {
      section.problem(key, "must be longer than zero");
      return fallback;
    }
    return duration;
  }

  /** A duration; may be zero. */
  static Duration durationOrZero(Section section, String key, Duration fallback) {
    return section.parse(key, section.text(key), Durations::parse).orElse(fallback);
  }

  /** A whole number within bounds, both inclusive. */
  static int integer(Section section, String key, int fallback, int least, int most) {
    return section
        .parse(key, section.text(key), text -> integer(text, least, most))
        .orElse(fallback);
  }

  private static int integer(String text, int least, int most) {
    try {
      int value = Integer.parseInt(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // told below, with the bounds
    }
    throw new IllegalArgumentException(
        "expected a whole number from " + least + " to " + most + ", not '" + text + "'");
  }

  /** A share: more than 0, at most 1. */
  static double share(Section section, String key, double fallback) {
    return section.parse(key, section.text(key), Values::share).orElse(fallback);
  }

  private static double share(String text) {
    try {
      double value = Double.parseDouble(text);
      if (value > 0 && value <= 1) {
        return value;
      }
    } catch (NumberFormatException e) {
      // told below, with the bounds
    }
    throw new IllegalArgumentException(
        "expected a share above 0 and at most 1, such as 0.2, not '" + text + "'");
  }

  /** A truth value. */
  static boolean flag(Section section, String key, boolean fallback) {
    return choice(section, key, Map.of("true", true, "false", false)).orElse(fallback);
  }

  /** One of some words; empty where the key is absent. */
  static <T> Optional<T> choice(Section section, String key, Map<String, T> words) {
    return section.parse(key, section.text(key), text -> word(text, words));
  }

  /**
   * What a word stands for.
   *
   * @throws IllegalArgumentException with the words that are known
   */
  static <T> T word(String text, Map<String, T> words) {
    T value = words.get(text);
    if (value == null) {
      String known = String.join(", ", words.keySet().stream().sorted().toList());
      String hint =
          Nearest.to(text, words.keySet()).map(n -> "; did you mean " + n + "?").orElse("");
      throw new IllegalArgumentException("'" + text + "' is not one of " + known + hint);
    }
    return value;
  }

  /** Checks a name that the file chooses: it becomes part of instances, paths and variables. */
  static void checkName(Section names, String name) {
    if (!NAME.matcher(name).matches()) {
      names.problem(
          name, "'" + name + "' is not a name; use letters, digits, '.', '_' and '-' only");
    }
  }

  /** The name of something declared elsewhere. */
  static Optional<String> reference(
      Section section, String key, String kind, Set<String> declared, String example) {
    Optional<String> name = section.required(key, example);
    name.filter(n -> !declared.contains(n))
        .ifPresent(
            n ->
                section.problem(
                    key, "no " + kind + " '" + n + "' is declared; " + Nearest.hint(n, declared)));
    return name;
  }
}
