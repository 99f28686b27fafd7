package dev.restitch.cli;

import dev.restitch.config.Nearest;
import dev.restitch.config.RelationConfig;
import dev.restitch.config.Relations;
import dev.restitch.config.Relations.Side;
import dev.restitch.config.SideConfig;
import dev.restitch.key.InstanceName;
import dev.restitch.key.KeyPattern;
import dev.restitch.model.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds the instances that a person means: by a key, by {@code store/key}, or by the instance's own
 * name. Bytes that are no text are typed as {@code \xff}, as they are printed.
 */
final class KeyNames {

  private static final int MOST_PATTERNS = 3;

  private final Relations relations;

  KeyNames(Relations relations) {
    this.relations = relations;
  }

  /**
   * The instances of what was typed; a key that stands in two stores may name several.
   *
   * @throws IllegalArgumentException that says what would be right, if there is none
   */
  Set<String> instances(String typed) {
    Set<String> found = new LinkedHashSet<>();
    int slash = typed.indexOf('/');
    if (slash > 0) {
      relations
          .resolve(typed.substring(0, slash), bytes(typed.substring(slash + 1)))
          .ifPresent(side -> found.add(side.instance()));
    }
    if (found.isEmpty()) {
      relations.resolveInAnyStore(bytes(typed)).stream().map(Side::instance).forEach(found::add);
    }
    if (found.isEmpty()) {
      named(typed).ifPresent(found::add);
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          marker(typed)
              .orElseGet(() -> "'" + typed + "' is the key of no relation; " + near(typed)));
    }
    return found;
  }

  private Optional<String> named(String typed) {
    Optional<RelationConfig> relation =
        typed.indexOf('/') > 0 ? relations.ofInstance(typed) : Optional.empty();
    if (relation.isEmpty()) {
      return Optional.empty();
    }
    List<Bytes> ids = InstanceName.ids(typed);
    if (ids.size() != relation.get().captureNames().size()) {
      throw new IllegalArgumentException(
          "'"
              + typed
              + "' has "
              + ids.size()
              + " id(s); relation "
              + relation.get().name()
              + " captures "
              + relation.get().captureNames());
    }
    return Optional.of(InstanceName.of(relation.get().name(), ids));
  }

  /** A marker names a token, and not an instance. */
  private Optional<String> marker(String typed) {
    return relations.all().stream()
        .filter(r -> r.marker() != null && r.marker().key().match(bytes(typed)).isPresent())
        .map(
            r ->
                "'"
                    + typed
                    + "' is a commit marker of relation "
                    + r.name()
                    + ": it names a transaction, not an instance. Name a side instead: "
                    + r.sides().stream()
                        .map(side -> side.key().toString())
                        .collect(Collectors.joining(", ")))
        .findFirst();
  }

  private String near(String typed) {
    Set<String> patterns =
        relations.all().stream()
            .flatMap(r -> r.sides().stream())
            .map(SideConfig::key)
            .map(KeyPattern::toString)
            .collect(Collectors.toCollection(TreeSet::new));
    if (patterns.isEmpty()) {
      return "the configuration declares none";
    }
    List<String> nearest = new ArrayList<>(patterns);
    nearest.sort(Comparator.comparingInt(p -> Nearest.distance(typed, filled(p, typed))));
    return "the nearest patterns are "
        + nearest.stream().limit(MOST_PATTERNS).collect(Collectors.joining(", "));
  }

  /** The pattern with its captures taken from what was typed, segment by segment. */
  private static String filled(String pattern, String typed) {
    String[] wanted = pattern.split(":", -1);
    String[] given = typed.split(":", -1);
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i].startsWith("{") && i < given.length) {
        wanted[i] = given[i];
      }
    }
    return String.join(":", wanted);
  }

  /** What was typed, with {@code \xNN} for bytes that cannot be typed. */
  static Bytes bytes(String typed) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(typed.length());
    int at = 0;
    while (at < typed.length()) {
      int escape =
          typed.startsWith("\\x", at) && at + 4 <= typed.length() ? hex(typed, at + 2) : -1;
      if (escape >= 0) {
        out.write(escape);
        at += 4;
      } else {
        int next = typed.offsetByCodePoints(at, 1);
        out.writeBytes(typed.substring(at, next).getBytes(StandardCharsets.UTF_8));
        at = next;
      }
    }
    return Bytes.copyOf(out.toByteArray());
  }

  private static int hex(String text, int at) {
    int high = Character.digit(text.charAt(at), 16);
    int low = Character.digit(text.charAt(at + 1), 16);
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }
}
