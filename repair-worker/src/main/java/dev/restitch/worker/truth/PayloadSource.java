package dev.restitch.worker.truth;

import dev.restitch.model.Bytes;
import java.util.concurrent.CompletionStage;

/** Fetches payloads that intents name by reference. Thread-safe; never blocks its caller. */
@FunctionalInterface
public interface PayloadSource {

  /**
   * The payload that a reference names.
   *
   * @return fails with {@link TruthUnavailableException} if it is worth asking again, with {@link
   *     TruthException} if the reference is not allowed, or there is no such payload
   */
  CompletionStage<Bytes> fetch(String reference);
}
