package dev.restitch.probe;

import dev.restitch.read.LastStep;
import dev.restitch.store.StoreNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Asks nodes who they are. Every answer was asked for after the question; questions that come while
 * one is on its way share the next. Never blocks; thread-safe.
 */
public final class PrimaryChecks {

  private static final String RUN_ID = "run_id:";
  private static final String ROLE = "role:";

  private final Map<StoreNode, CompletableFuture<Optional<String>>> waiting = new HashMap<>();

  /** Completes with the run id of a node that is a primary, else with nothing; never fails. */
  public synchronized CompletableFuture<Optional<String>> runIdOf(StoreNode node) {
    if (waiting.containsKey(node)) {
      return waiting.compute(node, (n, next) -> next == null ? new CompletableFuture<>() : next);
    }
    waiting.put(node, null);
    CompletableFuture<Optional<String>> first = new CompletableFuture<>();
    ask(node, first);
    return first;
  }

  private void ask(StoreNode node, CompletableFuture<Optional<String>> answer) {
    CompletableFuture<String> server = node.commands().info("server").toCompletableFuture();
    CompletableFuture<String> role = node.commands().info("replication").toCompletableFuture();
    LastStep.of(
        CompletableFuture.allOf(server, role),
        (done, failure) -> {
          advance(node);
          answer.complete(
              failure != null || !line(role.join(), ROLE).equals(Optional.of("master"))
                  ? Optional.empty()
                  : line(server.join(), RUN_ID));
        });
  }

  private void advance(StoreNode node) {
    CompletableFuture<Optional<String>> next;
    synchronized (this) {
      next = waiting.remove(node);
      if (next == null) {
        return;
      }
      waiting.put(node, null);
    }
    ask(node, next);
  }

  private static Optional<String> line(String info, String name) {
    return info.lines()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()).trim())
        .findFirst();
  }
}
