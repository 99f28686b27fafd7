package dev.restitch.model;

/** How urgently a person should look at an incident. */
public enum Severity {
  INFO,
  WARNING,
  CRITICAL;

  /**
   * What holds where nothing else is configured: warnings about markers and intents are {@link
   * #INFO}; what readers take for committed, and what only the source of truth can decide after a
   * failover or two writers with one version, is {@link #CRITICAL}.
   */
  public static Severity of(Verdict verdict) {
    return switch (verdict) {
      case COLLISION, TORN_ROLLED_BACK, COMMITTED_TORN -> CRITICAL;
      case INDETERMINATE,
          FOREIGN_WRITE,
          UNORDERED,
          SIDE_EVICTED,
          SIDE_EXPIRED,
          SIDE_DELETED,
          TORN_CROSSED,
          TORN_OVERWRITTEN,
          UNCOMMITTED,
          TORN_MISSING,
          LOG_HOLE,
          DIVERGED ->
          WARNING;
      case MARKER_EXPIRED, MARKER_MISSING, UNDECIDED, UNCLAIMED, NOT_APPLIED, SUPERSEDED, WHOLE ->
          INFO;
    };
  }
}
