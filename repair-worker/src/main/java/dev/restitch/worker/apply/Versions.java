package dev.restitch.worker.apply;

import dev.restitch.config.RelationConfig;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Mints the versions of repairs. Thread-safe; never blocks. */
@FunctionalInterface
public interface Versions {

  /**
   * A version above a floor, from the relation's counter or clock.
   *
   * @param floor the highest version seen; zero or greater
   * @return empty where the relation's stamp has no version
   * @throws IllegalStateException if the relation does not say where to mint
   */
  CompletionStage<Optional<Long>> above(RelationConfig relation, String instance, long floor);
}
