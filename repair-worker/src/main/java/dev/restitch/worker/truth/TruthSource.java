package dev.restitch.worker.truth;

import dev.restitch.config.RelationConfig;
import java.util.concurrent.CompletionStage;

/** An authoritative database. Thread-safe; never blocks its caller. */
@FunctionalInterface
public interface TruthSource {

  /**
   * Reads the payloads of all sides as of one moment.
   *
   * @return fails with {@link TruthUnavailableException} if it is worth asking again, with {@link
   *     TruthException} if asking again does not help
   */
  CompletionStage<Truth> read(RelationConfig relation, String instance);
}
