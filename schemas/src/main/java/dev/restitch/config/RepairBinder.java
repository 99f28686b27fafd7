package dev.restitch.config;

import dev.restitch.config.RepairPolicyConfig.Policy;
import dev.restitch.model.Verdict;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Binds the repair policies of one relation. */
final class RepairBinder {

  static final List<RepairPolicyConfig> REPORT =
      List.of(new RepairPolicyConfig(Policy.REPORT, null, null, Set.of()));

  private static final Map<String, Policy> POLICIES = new LinkedHashMap<>();

  /** The verdicts that can be told: all but the healthy ones. */
  static final Map<String, Verdict> VERDICTS = new LinkedHashMap<>();

  static {
    Arrays.stream(Policy.values()).forEach(p -> POLICIES.put(p.label(), p));
    Arrays.stream(Verdict.values())
        .filter(v -> !v.healthy())
        .forEach(v -> VERDICTS.put(v.name(), v));
  }

  private RepairBinder() {}

  static List<RepairPolicyConfig> bind(Section relation, Set<String> sources) {
    Optional<List<Section>> policies =
        relation.children("repair", "policy", "source", "regenerate", "on");
    return policies
        .map(list -> list.stream().map(policy -> policy(policy, sources)).toList())
        .orElse(REPORT);
  }

  private static RepairPolicyConfig policy(Section section, Set<String> sources) {
    Policy policy =
        section
            .parse(
                "policy",
                section.required("policy", "policy: report"),
                text -> Values.word(text, POLICIES))
            .orElse(null);
    return new RepairPolicyConfig(
        policy, source(section, policy, sources), regenerate(section, policy), on(section));
  }

  private static String source(Section section, Policy policy, Set<String> sources) {
    if (policy == Policy.SOURCE_OF_TRUTH) {
      String example = "{ policy: source-of-truth, source: users-db }";
      return Values.reference(section, "source", "source", sources, example).orElse(null);
    }
    if (policy != null && section.has("source")) {
      section.problem("source", "has no use without policy: source-of-truth");
    }
    return null;
  }

  private static String regenerate(Section section, Policy policy) {
    if (policy == Policy.ACCEPT_NEWEST) {
      return section
          .parse(
              "regenerate",
              section.required("regenerate", "{ policy: accept-newest, regenerate: copy }"),
              text -> Values.word(text, Map.of("copy", "copy")))
          .orElse(null);
    }
    if (policy != null && section.has("regenerate")) {
      section.problem("regenerate", "has no use without policy: accept-newest");
    }
    return null;
  }

  private static Set<Verdict> on(Section section) {
    Set<Verdict> verdicts = EnumSet.noneOf(Verdict.class);
    for (String name : section.texts("on").orElse(List.of())) {
      section
          .parse("on", Optional.of(name), text -> Values.word(text, VERDICTS))
          .ifPresent(verdicts::add);
    }
    return Collections.unmodifiableSet(verdicts);
  }
}
