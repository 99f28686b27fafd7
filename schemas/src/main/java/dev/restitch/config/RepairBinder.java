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
      List.of(new RepairPolicyConfig(Policy.REPORT, null, null, false, Set.of()));

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

  static List<RepairPolicyConfig> bind(
      Section relation, List<SideConfig> sides, Set<String> sources) {
    Optional<List<Section>> policies =
        relation.children("repair", "policy", "source", "regenerate", "missing", "on");
    return policies
        .map(list -> list.stream().map(policy -> policy(policy, sides, sources)).toList())
        .orElse(REPORT);
  }

  private static RepairPolicyConfig policy(
      Section section, List<SideConfig> sides, Set<String> sources) {
    Policy policy =
        section
            .parse(
                "policy",
                section.required("policy", "policy: report"),
                text -> Values.word(text, POLICIES))
            .orElse(null);
    return new RepairPolicyConfig(
        policy,
        source(section, policy, sources),
        regenerate(section, sides, policy),
        deleteMissing(section, sides, policy),
        on(section));
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

  private static Regeneration regenerate(Section section, List<SideConfig> sides, Policy policy) {
    if (policy == Policy.ACCEPT_NEWEST) {
      return RegenerationBinder.bind(section, sides);
    }
    if (policy != null && section.has("regenerate")) {
      section.problem("regenerate", "has no use without policy: accept-newest");
    }
    return null;
  }

  private static boolean deleteMissing(Section section, List<SideConfig> sides, Policy policy) {
    boolean delete =
        Values.choice(section, "missing", Map.of("delete", true, "report", false)).orElse(false);
    if (policy != null && policy != Policy.SOURCE_OF_TRUTH && section.has("missing")) {
      section.problem("missing", "has no use without policy: source-of-truth");
    } else if (delete && sides.stream().anyMatch(side -> side.type().log())) {
      section.problem("missing", "is delete, which no log allows; entries are only appended");
    }
    return delete;
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
