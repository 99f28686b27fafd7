package dev.restitch.model;

/** What the judge says of an instance, in order of precedence (the first that applies). */
public enum Verdict {
  INDETERMINATE,
  COLLISION,
  FOREIGN_WRITE,
  TORN_ROLLED_BACK,
  UNORDERED,
  SIDE_EVICTED,
  SIDE_EXPIRED,
  SIDE_DELETED,
  TORN_CROSSED,
  COMMITTED_TORN,
  TORN_OVERWRITTEN,
  UNCOMMITTED,
  TORN_MISSING,
  LOG_HOLE,
  DIVERGED,
  MARKER_EXPIRED,
  MARKER_MISSING,
  UNDECIDED,
  UNCLAIMED,
  NOT_APPLIED,
  SUPERSEDED,
  WHOLE;

  /** True for {@link #NOT_APPLIED}, {@link #SUPERSEDED} and {@link #WHOLE}. */
  public boolean healthy() {
    return compareTo(NOT_APPLIED) >= 0;
  }

  /** True where a commit marker, and no side, is what is wrong. */
  public boolean aboutMarker() {
    return this == MARKER_EXPIRED || this == MARKER_MISSING;
  }

  /** True where a side is gone that no transaction deleted. */
  public boolean sideGone() {
    return this == SIDE_EVICTED || this == SIDE_EXPIRED || this == SIDE_DELETED;
  }
}
