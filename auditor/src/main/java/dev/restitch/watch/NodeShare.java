package dev.restitch.watch;

import dev.restitch.avro.Coverage;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * This auditor's share of the nodes, where several auditors watch together, and what the others say
 * of theirs. Every node is in exactly one share, but for moments of change: then it may be in none,
 * which the next owner's gap makes good, or in two, whose observations merge. Thread-safe; never
 * blocks.
 */
public interface NodeShare {

  /** The name by which auditors speak of a node: {@code store/host:port}. */
  static String name(String store, String node) {
    return store + "/" + node;
  }

  /** True if this auditor is to watch the node. */
  boolean owns(String name);

  /** True once it is known which nodes are in this share. */
  boolean settled();

  /**
   * Completes with the last mark of a node, whoever wrote it, of all that were written before this
   * call; with nothing if it was never watched; exceptionally if that cannot be told now.
   */
  CompletableFuture<Optional<Coverage>> lastMark(String name);

  /** What its owner says of a node; empty if nobody said anything lately. */
  Optional<Coverage> present(String name);

  /** Calls back, on a thread that must not be blocked, when the share has changed. */
  void onChange(Runnable listener);

  /** The share of an auditor that watches alone and remembers nothing: everything. */
  static NodeShare everything() {
    return new NodeShare() {

      @Override
      public boolean owns(String name) {
        return true;
      }

      @Override
      public boolean settled() {
        return true;
      }

      @Override
      public CompletableFuture<Optional<Coverage>> lastMark(String name) {
        return CompletableFuture.completedFuture(Optional.empty());
      }

      @Override
      public Optional<Coverage> present(String name) {
        return Optional.empty();
      }

      @Override
      public void onChange(Runnable listener) {
        // it never changes
      }
    };
  }
}
