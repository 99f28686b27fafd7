package dev.restitch.judge;

import dev.restitch.config.Regeneration;
import dev.restitch.config.RepairPolicyConfig;
import dev.restitch.config.RepairPolicyConfig.Policy;
import dev.restitch.model.StoreKey;
import dev.restitch.model.Verdict;
import dev.restitch.stamp.Stamp;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Chooses the policy for a verdict (MODEL.md, sections 4 and 5) and words the command. */
final class Remedy {

  private final InstanceState s;
  private final Facts facts;

  Remedy(InstanceState state, VersionOrder order, long asOf) {
    this.s = state;
    this.facts = new Facts(state, order, asOf);
  }

  /** Index of the first allowed policy at or after {@code from}; -1: none, report. */
  int choose(Verdict verdict, Transaction t, List<StoreKey> behind, int from) {
    List<RepairPolicyConfig> policies = s.relation.repair();
    for (int i = from; i < policies.size(); i++) {
      RepairPolicyConfig p = policies.get(i);
      boolean meant = p.on().isEmpty() || p.on().contains(verdict);
      if (p.policy() == Policy.REPORT && meant) {
        return -1;
      }
      if (meant && allowed(p, verdict) && possible(p, t, behind)) {
        return i;
      }
    }
    return -1;
  }

  String label(int policyIndex) {
    return policyIndex < 0
        ? Policy.REPORT.label()
        : s.relation.repair().get(policyIndex).policy().label();
  }

  private static boolean allowed(RepairPolicyConfig p, Verdict verdict) {
    return Rules.allowed(verdict).contains(p.policy())
        || (p.policy() == Policy.SOURCE_OF_TRUTH
            && Rules.truthByChoice(verdict)
            && p.on().contains(verdict));
  }

  private boolean possible(RepairPolicyConfig p, Transaction t, List<StoreKey> behind) {
    return switch (p.policy()) {
      case ACCEPT_NEWEST -> t != null && newest(t) && regenerable(p.regenerate(), t, behind);
      case ROLL_FORWARD -> t != null && t.hasIntent() && behind.stream().allMatch(k -> newer(t, k));
      case SOURCE_OF_TRUTH -> true;
      case MARK -> t != null && s.relation.marker() != null;
      case REPORT -> true;
    };
  }

  /** T is certainly newer than what stands on a side: what nothing orders is not overwritten. */
  private boolean newer(Transaction t, StoreKey side) {
    KeyMemory m = s.keys.get(side);
    return m == null
        || m.stateAt(facts.asOf()) != Reading.State.STAMPED
        || m.stamp == null
        || facts.newer(t.stamp, m.stamp);
  }

  private boolean newest(Transaction t) {
    for (Transaction other : s.transactions.values()) {
      if (other != t && facts.effective(other) && !facts.newer(t.stamp, other.stamp)) {
        return false;
      }
    }
    return true;
  }

  /** Every side that is behind can be made from a sibling that carries T. */
  private boolean regenerable(Regeneration regeneration, Transaction t, List<StoreKey> behind) {
    for (StoreKey k : behind) {
      int side = s.ownKeys.indexOf(k);
      if (side < 0
          || regeneration.sourcesOf(s.relation.sides(), side).stream()
              .noneMatch(source -> carries(t, source.side()))) {
        return false;
      }
    }
    return true;
  }

  private boolean carries(Transaction t, int side) {
    KeyMemory m = s.keys.get(s.ownKeys.get(side));
    return m != null && m.carries(t.stamp, facts.asOf());
  }

  /** Everything that the deciding snapshot saw of this instance. */
  List<Reading> expected() {
    List<Reading> expected = new ArrayList<>(s.ownKeys.size());
    for (StoreKey k : s.ownKeys) {
      KeyMemory m = s.keys.get(k);
      expected.add(m == null ? Reading.of(k, Reading.State.UNKNOWN) : m.reading());
    }
    return expected;
  }

  Long highestVersion() {
    Long highest = null;
    for (Transaction t : s.transactions.values()) {
      highest = max(highest, t.stamp.version());
    }
    for (KeyMemory m : s.keys.values()) {
      highest = max(highest, m.top == null ? null : m.top.version());
      highest = max(highest, m.stamp == null ? null : m.stamp.version());
    }
    return highest;
  }

  private static Long max(Long a, Long b) {
    return a == null ? b : b == null ? a : Long.valueOf(Math.max(a, b));
  }

  /** A command's id: a hash of incident, generation, torn transaction, expected stamps, target. */
  static String commandId(
      String incident,
      int generation,
      Policy policy,
      Stamp torn,
      List<Reading> expected,
      List<StoreKey> to) {
    StringBuilder text = new StringBuilder(incident).append('|').append(generation);
    text.append('|').append(policy).append('|').append(torn);
    for (Reading r : expected) {
      text.append('|').append(r.key()).append('=').append(r.state()).append(r.stamp());
      text.append(r.tokens()).append(r.length()).append(r.digest());
    }
    to.forEach(k -> text.append('>').append(k));
    return hash(text.toString());
  }

  /** The first 16 bytes of SHA-256, in hex. */
  static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
