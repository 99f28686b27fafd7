package dev.restitch.worker.truth;

import dev.restitch.config.RelationConfig;
import dev.restitch.model.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * An authoritative database. Thread-safe; never blocks its caller. Stages fail with {@link
 * TruthUnavailableException} if it is worth asking again, with {@link TruthException} if asking
 * again does not help.
 */
@FunctionalInterface
public interface TruthSource {

  /** Reads the payloads of all sides, which are no logs, as of one moment. */
  CompletionStage<Truth> read(RelationConfig relation, String instance);

  /**
   * Reads the entries of one transaction in all logs of an instance, as of one moment.
   *
   * @return in side order; empty where the database has no such row
   */
  default CompletionStage<List<Optional<LogEntry>>> entries(
      RelationConfig relation, String instance, Bytes token) {
    return CompletableFuture.failedStage(
        new TruthException("this source of truth has no entries of logs"));
  }
}
