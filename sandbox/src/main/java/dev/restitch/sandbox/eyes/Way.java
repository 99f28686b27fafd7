package dev.restitch.sandbox.eyes;

/** By what a tear was found. */
enum Way {
  /** A notification told of the torn write itself. */
  NOTIFICATION,
  /** A sweep saw the sides disagree. */
  SWEEP,
  /** A gap made the judge look again at what it remembered. */
  GAP
}
