package dev.restitch.worker.apply;

import dev.restitch.config.RelationConfig;
import dev.restitch.config.VersionConfig;
import dev.restitch.store.StoreClient;
import dev.restitch.writer.VersionMint;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Mints the versions of repairs. Thread-safe; never blocks. */
public final class Versions {

  private final VersionMint mint;
  private final Clock clock;

  public Versions(Map<String, StoreClient> stores, Clock clock) {
    this.mint = new VersionMint(stores);
    this.clock = clock;
  }

  /**
   * A version above a floor, from the relation's counter or clock.
   *
   * @param floor the highest version seen; zero or greater
   * @return empty where the relation's stamp has no version
   * @throws IllegalStateException if the relation does not say where to mint
   */
  public CompletionStage<Optional<Long>> above(
      RelationConfig relation, String instance, long floor) {
    if (!relation.stamp().hasVersion()) {
      return CompletableFuture.completedStage(Optional.empty());
    }
    if (relation.version().order() == VersionConfig.Order.TIMESTAMP) {
      return CompletableFuture.completedStage(Optional.of(Math.max(clock.millis(), floor + 1)));
    }
    return mint.above(
            relation
                .counterOf(instance)
                .orElseThrow(
                    () ->
                        new IllegalStateException(
                            "relation "
                                + relation.name()
                                + " has no version.store and version.key")),
            floor)
        .thenApply(Optional::of);
  }
}
