package dev.restitch.writer;

/** What a side was found to be. */
public enum SideState {
  /** It carries a stamp; a log carries at least one. */
  STAMPED,
  /** Something stands there without a stamp that can be read, or of another type. */
  UNSTAMPED,
  /** Nothing stands there. */
  ABSENT,
  /** Its store did not answer, or refused. */
  UNREADABLE
}
