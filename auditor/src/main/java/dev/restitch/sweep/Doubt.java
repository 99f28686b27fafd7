package dev.restitch.sweep;

import dev.restitch.config.RelationConfig;
import dev.restitch.config.Relations.Side;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** An instance that is to be looked at again. Belongs to one thread. */
final class Doubt {

  final List<Side> sides;
  final Page page;

  /** What the last look saw. */
  List<Sight> seen;

  int looks = 1;
  int unreadable;
  long dueNanos;

  /** Completes when the suspicion is told; null while it is not raised. */
  CompletableFuture<Void> publishing;

  Doubt(List<Side> sides, List<Sight> seen, Page page) {
    this.sides = sides;
    this.seen = seen;
    this.page = page;
  }

  RelationConfig relation() {
    return sides.get(0).relation();
  }

  String instance() {
    return sides.get(0).instance();
  }
}
