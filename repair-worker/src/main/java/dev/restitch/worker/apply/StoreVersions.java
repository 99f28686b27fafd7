package dev.restitch.worker.apply;

import dev.restitch.config.RelationConfig;
import dev.restitch.config.VersionConfig;
import dev.restitch.model.StoreKey;
import dev.restitch.writer.VersionMint;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Mints versions from counters in the stores, behind their version fence, or from a clock. */
public final class StoreVersions implements Versions {

  private final Servers servers;
  private final VersionMint mint;
  private final Clock clock;

  public StoreVersions(Servers servers, Clock clock) {
    this.servers = servers;
    this.mint = new VersionMint(servers.clients());
    this.clock = clock;
  }

  @Override
  public CompletionStage<Optional<Long>> above(
      RelationConfig relation, String instance, long floor) {
    if (!relation.stamp().hasVersion()) {
      return CompletableFuture.completedStage(Optional.empty());
    }
    if (relation.version().order() == VersionConfig.Order.TIMESTAMP) {
      return CompletableFuture.completedStage(Optional.of(Math.max(clock.millis(), floor + 1)));
    }
    StoreKey counter =
        relation
            .counterOf(instance)
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "relation " + relation.name() + " has no version.store and version.key"));
    return servers
        .verified(counter)
        .thenCompose(store -> mint.above(counter, floor))
        .thenApply(Optional::of);
  }
}
