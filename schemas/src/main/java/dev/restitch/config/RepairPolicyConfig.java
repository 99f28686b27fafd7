package dev.restitch.config;

import dev.restitch.model.Verdict;
import java.util.Set;

/**
 * One policy in a relation's list.
 *
 * @param policy what to do
 * @param source name of the source of truth, for {@link Policy#SOURCE_OF_TRUTH}; else null
 * @param regenerate copies or mappings, for {@link Policy#ACCEPT_NEWEST}; else null
 * @param deleteMissing a side that the source of truth has no row for is deleted; else nothing is
 *     written, and the policy fails
 * @param on the verdicts it is for; empty: all that allow it
 */
public record RepairPolicyConfig(
    Policy policy, String source, Regeneration regenerate, boolean deleteMissing, Set<Verdict> on) {

  /** What a policy does. */
  public enum Policy {
    REPORT("report"),
    ROLL_FORWARD("roll-forward"),
    ACCEPT_NEWEST("accept-newest"),
    SOURCE_OF_TRUTH("source-of-truth"),
    MARK("mark");

    private final String label;

    Policy(String label) {
      this.label = label;
    }

    /** The name in configuration and output. */
    public String label() {
      return label;
    }
  }
}
