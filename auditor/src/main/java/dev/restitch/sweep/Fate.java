package dev.restitch.sweep;

/** What becomes of a scanned key; it is exactly one of these in the end. */
public enum Fate {
  /** Declared by no relation, or not asked for. */
  UNDECLARED,

  /** The only side of its instance: there is nothing to compare it with. */
  SINGLE,

  /** Its instance was compared already, by another of its keys. */
  REPEATED,

  /** Its instance is whole, at the latest at the second look. */
  WHOLE,

  /** No side of its instance carries a stamp. */
  LEGACY,

  /** No side of its instance was there any more. */
  GONE,

  /** Its instance is suspicious, and the brokers have it. */
  PUBLISHED,

  /** Its instance looks as it did when it was last published, which settled it. */
  KNOWN,

  /** A side of its instance could not be read, though it was tried several times. */
  UNREADABLE,

  /** Its sweep ended before it was compared; another begins before it. */
  ABANDONED
}
