package dev.restitch.control;

import dev.restitch.model.Verdict;
import java.util.Collection;
import java.util.List;

/**
 * A repair that is asked for, as far as controls are concerned.
 *
 * @param incident the incident's id
 * @param policy the policy's label, such as {@code source-of-truth}
 * @param stores what may be written
 * @param approvalRequired by the relation's configuration
 */
public record Proposal(
    String relation,
    String instance,
    String incident,
    Verdict verdict,
    String policy,
    Collection<String> stores,
    boolean approvalRequired) {

  public Proposal {
    stores = List.copyOf(stores);
  }

  /** What a person approves. */
  public String approvable() {
    return approvable(verdict.name(), policy);
  }

  /** What a person approves: the repair of one verdict by one policy. */
  public static String approvable(String verdict, String policy) {
    return verdict + " " + policy;
  }

  Scope scope() {
    return Scope.incident(instance, incident);
  }
}
