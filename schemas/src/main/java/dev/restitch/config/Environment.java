package dev.restitch.config;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Environment variables that override keys: {@code RESTITCH_} and the key's path in capitals, with
 * {@code _} for all but letters and digits. An empty variable counts as not set.
 */
final class Environment {

  private static final String PREFIX = "RESTITCH_";

  /** What Kubernetes adds for a service that is called, say, restitch-registry. */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(".*_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT(_\\d+_(TCP|UDP)(_.*)?)?)");

  private final Map<String, String> variables;
  private final Problems problems;
  private final Map<String, String> usedBy = new HashMap<>();
  private final Set<String> secrets = new HashSet<>();

  Environment(Map<String, String> variables, Problems problems) {
    this.variables = variables;
    this.problems = problems;
  }

  /** The variable that overrides a key. */
  static String nameOf(String path) {
    return PREFIX + path.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
  }

  boolean overrides(String path) {
    return !variables.getOrDefault(nameOf(path), "").isEmpty();
  }

  /** What overrides this key, or null. */
  Tree.Scalar override(String path) {
    String name = nameOf(path);
    if (!overrides(path)) {
      return null;
    }
    String other = usedBy.putIfAbsent(name, path);
    if (other != null && !other.equals(path)) {
      problems.add(name, "is the name of two keys, " + other + " and " + path + "; rename one");
    }
    return new Tree.Scalar(variables.get(name), false, name);
  }

  /** The value of a variable that the configuration names for a secret, or null. */
  String secret(String name) {
    secrets.add(name);
    String value = variables.get(name);
    return value == null || value.isEmpty() ? null : value;
  }

  /** Variables below a section that no key has used so far, without those of service links. */
  Set<String> unusedUnder(String section) {
    Set<String> unused = new TreeSet<>();
    String prefix = nameOf(section) + "_";
    for (Map.Entry<String, String> variable : variables.entrySet()) {
      String name = variable.getKey();
      if (name.startsWith(prefix)
          && !variable.getValue().isEmpty()
          && !usedBy.containsKey(name)
          && !secrets.contains(name)
          && !SERVICE_LINK.matcher(name).matches()) {
        unused.add(name);
      }
    }
    return unused;
  }

  /** Takes note that a variable stands for this key. */
  String use(String name, String path) {
    usedBy.put(name, path);
    return variables.get(name);
  }

  /** Reports variables that look like keys of these sections, and are none. */
  void reportUnused(List<String> sections) {
    for (String section : sections) {
      for (String name : unusedUnder(section)) {
        problems.add(
            name,
            "overrides no key; the part after "
                + nameOf(section)
                + "_ is a key of "
                + section
                + " (names such as those of stores and relations must stand in the file)");
      }
    }
  }
}
