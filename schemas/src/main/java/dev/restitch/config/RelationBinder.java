package dev.restitch.config;

import dev.restitch.config.RelationConfig.Brake;
import dev.restitch.config.RelationConfig.VerdictSwitch;
import dev.restitch.model.Verdict;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Binds {@code relations}. A relation that is wrong has null where it could not be read; it never
 * leaves the loader.
 */
final class RelationBinder {

  private static final List<String> KEYS =
      List.of(
          "sides",
          "stamp",
          "version",
          "marker",
          "writes",
          "intents",
          "settle",
          "memory",
          "ttl-tolerance",
          "patience",
          "repair",
          "stamp-limit",
          "rate",
          "concurrency",
          "approval",
          "brake",
          "generations",
          "verdicts");

  private static final Map<String, VerdictSwitch> SWITCHES = new LinkedHashMap<>();

  static {
    SWITCHES.put("declare", VerdictSwitch.DECLARE);
    SWITCHES.put("count", VerdictSwitch.COUNT);
    SWITCHES.put("off", VerdictSwitch.OFF);
  }

  private RelationBinder() {}

  static Map<String, RelationConfig> bind(Section root, Set<String> stores, Set<String> sources) {
    Section relations = root.names("relations");
    Map<String, RelationConfig> bound = new LinkedHashMap<>();
    for (String name : relations.names()) {
      Values.checkName(relations, name);
      Section section = relations.child(name, KEYS);
      RelationConfig relation = bind(name, section, stores, sources);
      RelationCheck.run(section, relation);
      bound.put(name, relation);
    }
    if (bound.isEmpty()) {
      relations.problem("declares no relation; at least one is needed");
    }
    return bound;
  }

  private static RelationConfig bind(
      String name, Section section, Set<String> stores, Set<String> sources) {
    List<SideConfig> sides = SideBinder.bind(section, stores);
    Set<String> captures = new LinkedHashSet<>();
    sides.stream().filter(s -> s.key() != null).forEach(s -> captures.addAll(s.key().names()));
    return new RelationConfig(
        name,
        sides,
        StampBinder.bind(section, sides),
        VersionBinder.bind(section, captures, stores),
        MarkerBinder.bind(section, captures, stores),
        Values.choice(section, "writes", Map.of("all", true, "some", false)).orElse(true),
        Values.choice(section, "intents", Map.of("required", true, "optional", false))
            .orElse(false),
        Values.duration(section, "settle", Duration.ofSeconds(2)),
        Values.duration(section, "memory", Duration.ofHours(1)),
        Values.durationOrZero(section, "ttl-tolerance", Duration.ofSeconds(5)),
        Values.duration(section, "patience", Duration.ofMinutes(1)),
        RepairBinder.bind(section, sides, sources),
        Values.integer(section, "stamp-limit", 512, 16, 1 << 20),
        Values.integer(section, "rate", 100, 1, 1_000_000),
        Values.integer(section, "concurrency", 64, 1, 10_000),
        Values.choice(section, "approval", Map.of("required", true, "none", false)).orElse(false),
        brake(section),
        Values.integer(section, "generations", 5, 1, 10_000),
        verdicts(section));
  }

  private static Brake brake(Section relation) {
    Section brake = relation.child("brake", "share", "count");
    return new Brake(
        Values.share(brake, "share", 0.2),
        Values.integer(brake, "count", 100, 1, Integer.MAX_VALUE));
  }

  private static Map<Verdict, VerdictSwitch> verdicts(Section relation) {
    Section section = relation.child("verdicts", List.copyOf(RepairBinder.VERDICTS.keySet()));
    Map<Verdict, VerdictSwitch> verdicts = new EnumMap<>(Verdict.class);
    RepairBinder.VERDICTS.forEach(
        (name, verdict) ->
            Values.choice(section, name, SWITCHES).ifPresent(s -> verdicts.put(verdict, s)));
    return Collections.unmodifiableMap(verdicts);
  }
}
