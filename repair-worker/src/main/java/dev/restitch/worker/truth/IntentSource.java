package dev.restitch.worker.truth;

import dev.restitch.avro.Intent;
import java.util.concurrent.CompletionStage;

/** Fetches intents by their place in Kafka. Thread-safe; never blocks its caller. */
@FunctionalInterface
public interface IntentSource {

  /**
   * The intent at a place.
   *
   * @return fails with {@link TruthUnavailableException} if it is worth asking again, with {@link
   *     TruthException} if there is no intent there, or no more
   */
  CompletionStage<Intent> at(int partition, long offset);
}
