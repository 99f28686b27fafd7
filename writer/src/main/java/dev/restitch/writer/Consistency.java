package dev.restitch.writer;

/** What a reader can say of the sides that it read together. */
public enum Consistency {
  /** The sides belong together, as far as their stamps tell. */
  WHOLE,
  /**
   * The sides do not belong together now. That may be a tear, or a write that is under way; the
   * audit is told and finds out.
   */
  MISMATCH,
  /** The stamps alone do not tell, or not every side could be read. */
  UNKNOWN
}
