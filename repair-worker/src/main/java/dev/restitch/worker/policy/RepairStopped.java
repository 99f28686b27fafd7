package dev.restitch.worker.policy;

import dev.restitch.avro.Outcome;

/** Ends a repair with an outcome before anything was written by the step that throws it. */
public final class RepairStopped extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final Outcome outcome;

  /**
   * @param outcome what becomes of the command
   * @param detail why, for people; never a payload
   */
  public RepairStopped(Outcome outcome, String detail) {
    super(detail, null, false, false);
    this.outcome = outcome;
  }

  public Outcome outcome() {
    return outcome;
  }
}
