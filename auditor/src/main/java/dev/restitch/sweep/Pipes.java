package dev.restitch.sweep;

import dev.restitch.store.StoreNode;
import dev.restitch.store.StorePipeline;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A pipeline to every node that a sweep reads from, opened when it is first needed. Belongs to one
 * thread.
 */
final class Pipes implements AutoCloseable {

  private static final long REACHED_IN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Map<StoreNode, StorePipeline> open = new HashMap<>();

  /** The pipeline to a node; waits for a new one to be reached, but not for long. */
  StorePipeline to(StoreNode node) throws InterruptedException {
    StorePipeline known = open.get(node);
    if (known != null) {
      return known;
    }
    StorePipeline fresh = node.openPipeline();
    open.put(node, fresh);
    long patience = System.nanoTime() + REACHED_IN_NANOS;
    while (fresh.runId().isEmpty() && System.nanoTime() - patience < 0) {
      TimeUnit.MILLISECONDS.sleep(2);
    }
    return fresh;
  }

  /** Sends what waits in every pipeline. */
  void flush() {
    open.values().forEach(StorePipeline::flush);
  }

  /** Lets pipelines go that lead to other nodes than these. */
  void keep(java.util.Collection<StoreNode> nodes) {
    open.entrySet()
        .removeIf(
            entry -> {
              boolean gone = !nodes.contains(entry.getKey());
              if (gone) {
                entry.getValue().close();
              }
              return gone;
            });
  }

  @Override
  public void close() {
    open.values().forEach(StorePipeline::close);
    open.clear();
  }
}
