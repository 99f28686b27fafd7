package dev.restitch.sweep;

import java.util.concurrent.CompletableFuture;

/** Takes what sweeps find. */
@FunctionalInterface
public interface Suspicions {

  /**
   * Takes one; never blocks. Completes when it is safe to go on without it, exceptionally if it has
   * to be told again.
   */
  CompletableFuture<Void> raise(Suspect suspect);
}
