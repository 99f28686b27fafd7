package dev.restitch.brake;

/**
 * Whether a primary's changes are seen now.
 *
 * @param node {@code host:port}
 * @param ours true: this auditor watches it, and nobody else speaks for it
 * @param trouble why it is not covered; null: it is
 */
public record NodeSight(String store, String node, boolean ours, String trouble) {

  /** The trouble of a primary that no auditor watches; any auditor speaks for it. */
  public static final String UNWATCHED = "unwatched";
}
