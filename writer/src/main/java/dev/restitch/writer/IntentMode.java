package dev.restitch.writer;

/** How the intent is sent, and what is lost with each. */
public enum IntentMode {
  /**
   * The first write waits for Kafka's acknowledgement. Without Kafka nothing is written; every
   * write that can be torn has its intent.
   */
  BEFORE,
  /**
   * The intent is sent, and the writes do not wait. A crash, or Kafka's absence, can lose the
   * intent of a write that was made.
   */
  BESIDE,
  /** No intent. Tears are found only in relations where every transaction writes every side. */
  NONE
}
