package dev.restitch.config;

import com.dashjoin.jsonata.JException;
import com.dashjoin.jsonata.Jsonata;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Binds {@code regenerate}: {@code copy}, or what each side is made from. */
final class RegenerationBinder {

  private static final String KEY = "regenerate";
  private static final String EXAMPLE =
      "{ policy: accept-newest, regenerate: copy }, or regenerate: { settings: { from: profile,"
          + " mapping: \"{ 'theme': prefs.theme }\" } }";

  private RegenerationBinder() {}

  /** Null where it cannot be read. */
  static Regeneration bind(Section policy, List<SideConfig> sides) {
    if (!policy.has(KEY) || policy.isScalar(KEY)) {
      return policy
          .parse(
              KEY,
              policy.required(KEY, EXAMPLE),
              text -> Values.word(text, Map.of("copy", Regeneration.COPY)))
          .orElse(null);
    }
    Section targets = policy.names(KEY);
    Map<String, Regeneration.From> bound = new LinkedHashMap<>();
    for (String name : targets.names()) {
      Optional<SideConfig> target = side(sides, name);
      if (target.isEmpty()) {
        targets.problem(name, "is no side of this relation; " + hint(name, sides));
      }
      Section from = targets.child(name, "from", "mapping");
      bound.put(name, from(from, target.orElse(null), sides));
    }
    if (bound.isEmpty()) {
      targets.problem("names no side; for example " + EXAMPLE);
      return null;
    }
    return new Regeneration(bound);
  }

  private static Regeneration.From from(Section from, SideConfig target, List<SideConfig> sides) {
    String name = from.required("from", "from: profile").orElse(null);
    Optional<SideConfig> source = name == null ? Optional.empty() : side(sides, name);
    if (name != null && source.isEmpty()) {
      from.problem("from", "is no side of this relation; " + hint(name, sides));
    }
    if (source.isPresent() && source.get() == target) {
      from.problem("from", "is the side itself; a side is made from another one");
    }
    String mapping =
        from.parse("mapping", from.text("mapping"), RegenerationBinder::checked).orElse(null);
    if (!from.has("mapping")
        && target != null
        && source.isPresent()
        && !Regeneration.copies(source.get(), target)) {
      from.problem(
          "mapping",
          "is missing; without one the payload is copied, which only sides that declare the same"
              + " payload and type allow");
    }
    return new Regeneration.From(name, mapping);
  }

  private static String checked(String mapping) {
    try {
      Jsonata.jsonata(mapping);
      return mapping;
    } catch (JException e) {
      throw new IllegalArgumentException(
          "is no JSONata expression: "
              + e.getMessage()
              + ", at character "
              + Math.max(0, e.getLocation()));
    }
  }

  private static Optional<SideConfig> side(List<SideConfig> sides, String name) {
    return sides.stream().filter(side -> side.name().equals(name)).findFirst();
  }

  private static String hint(String name, List<SideConfig> sides) {
    return Nearest.hint(name, sides.stream().map(SideConfig::name).toList());
  }
}
