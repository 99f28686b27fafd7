package dev.restitch.worker.policy;

import dev.restitch.avro.Outcome;
import dev.restitch.avro.Write;
import dev.restitch.model.Bytes;
import dev.restitch.worker.truth.PayloadSource;
import dev.restitch.writer.Digests;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The payloads of an intent: inline, or by reference. Each is compared with the digest that the
 * writer gave before anything is written; what is fetched by reference must have one, since what
 * stands elsewhere may change.
 */
final class IntentPayloads {

  private final PayloadSource references;

  IntentPayloads(PayloadSource references) {
    this.references = references;
  }

  /** The payload of a write that has one. */
  CompletionStage<Bytes> of(Write write) {
    if (write.getPayload() != null) {
      return CompletableFuture.completedStage(
          checked(write, Bytes.copyOf(write.getPayload()), "the payload in the intent"));
    }
    if (write.getPayloadRef() == null) {
      throw new RepairStopped(
          Outcome.FAILED,
          "the intent does not carry the payload of "
              + write.getStore()
              + "/"
              + Bytes.copyOf(write.getKey()));
    }
    if (write.getDigest() == null) {
      throw new RepairStopped(
          Outcome.FAILED, "the intent names a payload by reference without its digest");
    }
    return references
        .fetch(write.getPayloadRef())
        .thenApply(payload -> checked(write, payload, "the payload that the intent refers to"));
  }

  private static Bytes checked(Write write, Bytes payload, String which) {
    if (write.getDigest() != null
        && !Digests.sha256(payload.toArray()).equals(Bytes.copyOf(write.getDigest()))) {
      throw new RepairStopped(Outcome.FAILED, which + " is not what its digest says");
    }
    return payload;
  }
}
