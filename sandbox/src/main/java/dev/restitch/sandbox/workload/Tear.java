package dev.restitch.sandbox.workload;

import java.util.List;

/** A tear made on purpose; it must be found. */
public enum Tear implements Act {
  /** The writer stops after the first side. */
  MISSING("user", "conf"),
  /** Two whole writes; then a side of the older one lands again. */
  LATE_OVERWRITE("user", "conf", "pay"),
  /** The writer stops after the first side, so that no commit marker comes. */
  UNCOMMITTED("pay"),
  /** Both sides stand, and the writer stops before the commit marker. */
  MARKER_MISSING("pay"),
  /** A whole write whose commit marker has a short life. */
  MARKER_EXPIRED("pay");

  private final String relations;

  Tear(String... relations) {
    this.relations = String.join(" ", relations);
  }

  @Override
  public boolean suits(String relation) {
    return List.of(relations.split(" ", -1)).contains(relation);
  }
}
