package dev.restitch.worker.truth;

import dev.restitch.model.Bytes;
import dev.restitch.writer.Digests;
import java.util.List;

/**
 * The payloads of an instance's sides, as one moment of the authoritative database has them.
 *
 * @param payloads in side order
 */
public record Truth(List<Bytes> payloads) {

  public Truth {
    payloads = List.copyOf(payloads);
  }

  /** SHA-256 of each payload, in side order. */
  public List<Bytes> digests() {
    return payloads.stream().map(p -> Digests.sha256(p.toArray())).toList();
  }

  /** Never the payloads. */
  @Override
  public String toString() {
    return "Truth[" + payloads.size() + " sides]";
  }
}
