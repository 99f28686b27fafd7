package dev.restitch.worker.policy;

import dev.restitch.model.StoreKey;
import dev.restitch.worker.apply.SideStore;
import dev.restitch.writer.Expiry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The time to live that an absent side is given: that of the first sibling that is there. */
final class SiblingExpiry {

  private SiblingExpiry() {}

  /**
   * Asks the siblings one after the other.
   *
   * @param siblings in the order in which they are asked
   * @return none if no sibling is there
   */
  static CompletionStage<Expiry> of(SideStore sides, List<StoreKey> siblings) {
    if (siblings.isEmpty()) {
      return CompletableFuture.completedStage(Expiry.NONE);
    }
    return sides
        .ttlMillis(siblings.get(0))
        .thenCompose(
            ttl ->
                ttl == SideStore.NO_KEY
                    ? of(sides, siblings.subList(1, siblings.size()))
                    : CompletableFuture.completedStage(like(ttl)));
  }

  /**
   * The same time to live.
   *
   * @param ttlMillis as {@code PTTL} says it; negative: none
   */
  static Expiry like(long ttlMillis) {
    return ttlMillis < 0 ? Expiry.NONE : Expiry.afterMillis(Math.max(1, ttlMillis));
  }
}
