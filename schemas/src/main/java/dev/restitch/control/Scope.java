package dev.restitch.control;

import dev.restitch.model.Verdict;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * Where a setting holds. As text: nothing for everywhere, else {@code store:east}, {@code
 * relation:user}, {@code node:east/host:port}, {@code incident:user/1#5f0c}, or a rule {@code
 * rule:user/*} or {@code rule:user/* SIDE_EXPIRED}: an instance, or the start of one and a star,
 * and the verdict that it is for.
 *
 * @param name empty for everywhere
 */
public record Scope(Kind kind, String name) {

  /** Everywhere. */
  public static final Scope EVERYWHERE = new Scope(Kind.EVERYWHERE, "");

  /** What a scope can be. */
  public enum Kind {
    EVERYWHERE,
    STORE,
    RELATION,
    NODE,
    INCIDENT,
    RULE;

    String prefix() {
      return name().toLowerCase(Locale.ROOT) + ":";
    }
  }

  public Scope {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(name, "name");
    if (name.isEmpty() != (kind == Kind.EVERYWHERE)) {
      throw new IllegalArgumentException("a scope needs a name, and everywhere has none");
    }
    if (kind == Kind.INCIDENT && name.indexOf('#') < 1) {
      throw new IllegalArgumentException("an incident is named INSTANCE#ID, not " + name);
    }
    if (kind == Kind.RULE) {
      Rule.parse(name);
    }
  }

  public static Scope store(String name) {
    return new Scope(Kind.STORE, name);
  }

  public static Scope relation(String name) {
    return new Scope(Kind.RELATION, name);
  }

  /** One primary, {@code host:port}, of a store. */
  public static Scope node(String store, String node) {
    return new Scope(Kind.NODE, store + "/" + node);
  }

  public static Scope incident(String instance, String id) {
    return new Scope(Kind.INCIDENT, instance + "#" + id);
  }

  /**
   * Reads a scope.
   *
   * @param text null or empty: everywhere
   * @throws IllegalArgumentException with what is wrong
   */
  public static Scope parse(String text) {
    if (text == null || text.isEmpty()) {
      return EVERYWHERE;
    }
    return Arrays.stream(Kind.values())
        .filter(kind -> kind != Kind.EVERYWHERE && text.startsWith(kind.prefix()))
        .findFirst()
        .map(kind -> new Scope(kind, text.substring(kind.prefix().length())))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a scope is store:NAME, relation:NAME, incident:INSTANCE#ID, or rule:PATTERN;"
                        + " not "
                        + text));
  }

  /** The store of a node or store; empty for others. */
  public Optional<String> store() {
    return switch (kind) {
      case STORE -> Optional.of(name);
      case NODE -> Optional.of(name.substring(0, Math.max(0, name.indexOf('/'))));
      case EVERYWHERE, RELATION, INCIDENT, RULE -> Optional.empty();
    };
  }

  /** True if this is a rule, and names an instance with that verdict. */
  public boolean names(String instance, Verdict verdict) {
    return kind == Kind.RULE && Rule.parse(name).matches(instance, verdict);
  }

  /** The form that {@link #parse} reads. */
  @Override
  public String toString() {
    return kind == Kind.EVERYWHERE ? "" : kind.prefix() + name;
  }

  private record Rule(String instances, boolean prefix, Verdict verdict) {

    static Rule parse(String text) {
      int space = text.indexOf(' ');
      String pattern = space < 0 ? text : text.substring(0, space);
      Verdict verdict = space < 0 ? null : verdict(text.substring(space + 1));
      boolean prefix = pattern.endsWith("*");
      String instances = prefix ? pattern.substring(0, pattern.length() - 1) : pattern;
      if (instances.indexOf('*') >= 0 || instances.indexOf('/') < 1) {
        throw new IllegalArgumentException(
            "a rule is RELATION/ID or RELATION/START*, with or without a verdict; not " + text);
      }
      return new Rule(instances, prefix, verdict);
    }

    private static Verdict verdict(String name) {
      return Arrays.stream(Verdict.values())
          .filter(v -> v.name().equals(name) && !v.healthy())
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException("no such verdict: " + name));
    }

    boolean matches(String instance, Verdict seen) {
      boolean named = prefix ? instance.startsWith(instances) : instance.equals(instances);
      return named && (verdict == null || verdict == seen);
    }
  }
}
