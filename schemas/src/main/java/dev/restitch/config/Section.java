package dev.restitch.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A mapping of the configuration, and where it stands. Answers what each key says, the environment
 * before the file. What is wrong is collected and reads as absent, so that the rest is checked too.
 */
final class Section {

  private final Reading reading;
  private final String path;
  private final Map<String, Tree> entries;
  private final boolean given;

  /** What all sections of one configuration share. */
  record Reading(Problems problems, Environment environment) {}

  private Section(Reading reading, String path, Map<String, Tree> entries, boolean given) {
    this.reading = reading;
    this.path = path;
    this.entries = entries;
    this.given = given;
  }

  /** The whole configuration, which may have these keys only. */
  static Section root(Reading reading, Tree tree, List<String> known) {
    return of(reading, "", tree).only(known);
  }

  private static Section of(Reading reading, String path, Tree tree) {
    if (tree instanceof Tree.Mapping mapping) {
      return new Section(reading, path, mapping.entries(), true);
    }
    if (tree != null && !(tree instanceof Tree.Scalar scalar && scalar.empty())) {
      reading.problems().add(path, tree, "expected a mapping (key: value), not " + tree.shape());
    }
    return new Section(reading, path, Map.of(), false);
  }

  static String join(String path, String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  Reading reading() {
    return reading;
  }

  String path() {
    return path;
  }

  String path(String key) {
    return join(path, key);
  }

  /** True if the file has this mapping, or the environment one of its keys. */
  boolean given() {
    return given;
  }

  /** The keys that stand in the file, in its order. */
  Set<String> names() {
    return new LinkedHashSet<>(entries.keySet());
  }

  /** True if a key is set, rightly or wrongly. */
  boolean has(String key) {
    return entries.containsKey(key) || overridden(key);
  }

  /** True if a variable sets a key. */
  boolean overridden(String key) {
    return reading.environment().overrides(path(key));
  }

  /** True if a variable sets a key to a mapping, written as YAML. */
  boolean overriddenByMapping(String key) {
    Tree.Scalar override = reading.environment().override(path(key));
    return override != null && override.text().strip().startsWith("{");
  }

  /** True if a key holds one value, and neither a mapping nor a list. */
  boolean isScalar(String key) {
    return tree(key) instanceof Tree.Scalar;
  }

  void problem(String message) {
    reading.problems().add(path, message);
  }

  /** Adds a problem of a key, with its place where it has one. */
  void problem(String key, String message) {
    Tree where = tree(key);
    if (where == null) {
      reading.problems().add(path(key), message);
    } else {
      reading.problems().add(path(key), where, message);
    }
  }

  /** A mapping below this one; an empty one where it is absent. */
  Section child(String key, String... known) {
    return child(key, Arrays.asList(known));
  }

  /** A mapping below this one; an empty one where it is absent. */
  Section child(String key, List<String> known) {
    Section child = names(key);
    boolean byVariable =
        known.stream().anyMatch(k -> reading.environment().overrides(child.path(k)));
    return new Section(reading, child.path, child.entries, child.given || byVariable).only(known);
  }

  /** A mapping whose keys are names that the file chooses. */
  Section names(String key) {
    return of(reading, path(key), structure(key));
  }

  /** A list of mappings; empty where the key is absent. What is no mapping is a problem. */
  Optional<List<Section>> children(String key, String... known) {
    Tree tree = structure(key);
    if (tree == null) {
      return Optional.empty();
    }
    if (!(tree instanceof Tree.Sequence sequence)) {
      problem(key, "expected a list ([ { … } ]), not " + tree.shape());
      return Optional.empty();
    }
    if (sequence.items().isEmpty()) {
      problem(key, "is empty; give it an item ({ … }), or leave it out");
    }
    List<Section> children = new ArrayList<>();
    int index = 0;
    for (Tree item : sequence.items()) {
      String at = join(path(key), Integer.toString(index++));
      Section child = of(reading, at, item);
      if (child.given) {
        children.add(child.only(Arrays.asList(known)));
      }
    }
    return Optional.of(children);
  }

  private Section only(List<String> known) {
    for (Map.Entry<String, Tree> entry : entries.entrySet()) {
      if (!known.contains(entry.getKey())) {
        String hint = Nearest.hint(entry.getKey(), known);
        reading
            .problems()
            .add(path(entry.getKey()), entry.getValue(), "is not a known key; " + hint);
      }
    }
    return this;
  }

  /** What stands at a key, or null; the environment comes first. */
  private Tree tree(String key) {
    Tree.Scalar override = reading.environment().override(path(key));
    return override != null ? override : entries.get(key);
  }

  /** The same, where a list or a mapping is wanted: a variable's text is read as YAML. */
  private Tree structure(String key) {
    Tree.Scalar override = reading.environment().override(path(key));
    if (override == null) {
      return entries.get(key);
    }
    try {
      return YamlDocument.read(override.text(), path(key), override.origin(), reading.problems());
    } catch (IllegalArgumentException e) {
      reading.problems().add(path(key), override, e.getMessage());
      return null;
    }
  }

  /** The text at a key; empty where it is absent. */
  Optional<String> text(String key) {
    Tree tree = tree(key);
    if (tree == null) {
      return Optional.empty();
    }
    if (tree instanceof Tree.Scalar scalar && !scalar.empty() && !scalar.text().isEmpty()) {
      return Optional.of(scalar.text());
    }
    boolean blank = tree instanceof Tree.Scalar;
    problem(
        key,
        blank
            ? "has no value; give it one, or leave it out"
            : "expected text, not " + tree.shape());
    return Optional.empty();
  }

  /** The text at a key that must be there. */
  Optional<String> required(String key, String example) {
    if (!has(key)) {
      problem(key, "is missing; for example " + example);
      return Optional.empty();
    }
    return text(key);
  }

  /**
   * Gives text its type.
   *
   * @param parser throws IllegalArgumentException with a sentence for people
   */
  <T> Optional<T> parse(String key, Optional<String> text, Function<String, T> parser) {
    try {
      return text.map(parser);
    } catch (IllegalArgumentException e) {
      problem(key, e.getMessage());
      return Optional.empty();
    }
  }

  /** A list of texts; a variable may separate them by commas. Empty where the key is absent. */
  Optional<List<String>> texts(String key) {
    Tree.Scalar override = reading.environment().override(path(key));
    if (override != null && !override.text().strip().startsWith("[")) {
      return Optional.of(Arrays.stream(override.text().split(",", -1)).map(String::strip).toList());
    }
    Tree tree = structure(key);
    if (tree == null) {
      return Optional.empty();
    }
    if (!(tree instanceof Tree.Sequence sequence)) {
      problem(key, "expected a list ([a, b]), not " + tree.shape());
      return Optional.empty();
    }
    List<String> texts = new ArrayList<>();
    for (Tree item : sequence.items()) {
      if (item instanceof Tree.Scalar scalar && !scalar.empty()) {
        texts.add(scalar.text());
      } else {
        reading
            .problems()
            .add(join(path(key), "" + texts.size()), item, "expected text, not " + item.shape());
      }
    }
    return Optional.of(texts);
  }
}
