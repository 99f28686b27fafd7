package dev.restitch.worker.truth;

import dev.restitch.model.Bytes;

/**
 * What the authoritative database knows of one entry of a log.
 *
 * @param score of a sorted set's entry; null: not said
 */
public record LogEntry(Bytes payload, Double score) {

  /** Never the payload. */
  @Override
  public String toString() {
    return "LogEntry[" + payload.length() + " bytes]";
  }
}
