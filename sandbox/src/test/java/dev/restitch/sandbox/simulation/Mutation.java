package dev.restitch.sandbox.simulation;

/** A way in which what is tested is broken on purpose. */
enum Mutation {
  /** Compare-and-set sets whatever stands there. */
  NO_COMPARISON,
  /** After an absent side was filled, its source is not read again. */
  NO_LOOK_AFTER_FILLING,
  /** The truth is read once only. */
  NO_SECOND_TRUTH,
  /** A command's id says neither what was expected nor which transaction is torn. */
  ID_WITHOUT_STAMPS,
  /** The marker is written before what it speaks for. */
  MARKER_FIRST,
  /** A rewrite that is refused when it is delivered again is not looked at again. */
  REFUSED_AND_FORGOTTEN
}
