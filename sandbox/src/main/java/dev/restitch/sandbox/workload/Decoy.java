package dev.restitch.sandbox.workload;

/** What looks like a tear for a while and is none; it must not be found. */
public enum Decoy implements Act {
  /** The writer rests between its sides, for less than the settle time. */
  PAUSED,
  /** The writer sends its intent and writes nothing. */
  INTENT_ONLY,
  /** The writer stops after the first side, and a newer whole write comes in time. */
  SUPERSEDED;

  @Override
  public boolean suits(String relation) {
    return true;
  }
}
