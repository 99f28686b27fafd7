package dev.restitch.worker.truth;

import dev.restitch.model.Bytes;
import dev.restitch.writer.Digests;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The payloads of an instance's sides, as one moment of the authoritative database has them.
 *
 * @param payloads in side order; empty: the database has no such row
 */
public record Truth(List<Optional<Bytes>> payloads) {

  public Truth {
    payloads = List.copyOf(payloads);
  }

  /** A truth that has something for every side. */
  public static Truth of(Bytes... payloads) {
    return new Truth(Arrays.stream(payloads).map(Optional::of).toList());
  }

  /** SHA-256 of each payload, in side order; empty where there is none. */
  public List<Optional<Bytes>> digests() {
    return payloads.stream().map(p -> p.map(bytes -> Digests.sha256(bytes.toArray()))).toList();
  }

  /** Never the payloads. */
  @Override
  public String toString() {
    return "Truth[" + payloads.size() + " sides]";
  }
}
