package dev.restitch.sandbox.workload;

import dev.restitch.avro.Incident;
import dev.restitch.avro.IncidentState;

/** One tear made on purpose, and what is known of it. Guarded by its ledger. */
public final class Injection {

  private final String instance;
  private final Tear tear;
  private String incident;
  private String verdict;
  private IncidentState state;
  private long dueMillis;
  private long foundMillis;

  Injection(String instance, Tear tear) {
    this.instance = instance;
    this.tear = tear;
  }

  /**
   * How a tear stands.
   *
   * @param verdict the last verdict heard; null: not found
   * @param state the last state heard; null: not found
   * @param delayMillis from the end of its settle time to the first word of its incident, zero or
   *     more; meaningless until it is found
   */
  public record Standing(
      String instance, Tear tear, String verdict, IncidentState state, long delayMillis) {

    public boolean found() {
      return state != null;
    }

    /** True if its incident is closed. */
    public boolean mended() {
      return found() && Ledger.closed(state);
    }
  }

  void due(long millis) {
    dueMillis = millis;
  }

  boolean owns(String id) {
    return incident == null || incident.equals(id);
  }

  /** Returns true if this closes it. */
  boolean heard(Incident heard, long nowMillis) {
    if (incident == null) {
      incident = heard.getId();
      foundMillis = nowMillis;
    }
    boolean before = state != null && Ledger.closed(state);
    verdict = heard.getVerdict();
    state = heard.getState();
    return !before && Ledger.closed(state);
  }

  Standing standing() {
    long delay = dueMillis == 0 ? 0 : Math.max(0, foundMillis - dueMillis);
    return new Standing(instance, tear, verdict, state, delay);
  }
}
