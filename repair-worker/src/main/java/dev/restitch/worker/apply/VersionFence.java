package dev.restitch.worker.apply;

import dev.restitch.model.Bytes;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreException;
import dev.restitch.store.StoreNode;
import dev.restitch.writer.io.ServerScript;
import dev.restitch.writer.io.Stages;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an old worker from writing where a newer one works. Every key space, that is a cluster or
 * each single primary, carries {@value #NAME}: the highest version of the worker that has written
 * there. It is claimed, or checked, before the first command, again after the process that answers
 * has changed or the cluster's primaries have, and every ten seconds. Thread-safe; never blocks.
 */
final class VersionFence {

  static final String NAME = "{restitch}:version";

  /** Rises with every change of what the worker's scripts write. */
  static final int VERSION = 1;

  private static final Logger log = LoggerFactory.getLogger(VersionFence.class);
  private static final ServerScript CLAIM =
      ServerScript.load(VersionFence.class, "claim-version.lua");
  private static final Bytes KEY = Bytes.utf8(NAME);
  private static final long GOOD_FOR_NANOS = Duration.ofSeconds(10).toNanos();

  /** A node that let us pass. */
  private record Passed(String runId, long atNanos) {}

  private final Map<StoreNode, Passed> passed = new ConcurrentHashMap<>();
  private final Map<StoreNode, CompletableFuture<Void>> asking = new ConcurrentHashMap<>();
  private final Map<String, String> refused = new ConcurrentHashMap<>();

  VersionFence(Collection<StoreClient> stores) {
    stores.forEach(store -> store.onTopologyChange(passed::clear));
  }

  Map<String, String> refused() {
    return Map.copyOf(refused);
  }

  /**
   * Completes when the key space of a key may be written.
   *
   * @return fails with {@link StoreFencedException} if it may not, else as any command does
   */
  CompletionStage<Void> verified(StoreClient store, Bytes key) {
    StoreNode node;
    try {
      node = store.nodeOf(store.cluster() ? KEY : key);
    } catch (StoreException e) {
      return CompletableFuture.failedStage(e);
    }
    Optional<String> runId = node.runId();
    Passed before = passed.get(node);
    if (before != null
        && runId.isPresent()
        && before.runId().equals(runId.get())
        && System.nanoTime() - before.atNanos() < GOOD_FOR_NANOS) {
      return CompletableFuture.completedStage(null);
    }
    return ask(store, node, runId);
  }

  /** Asks once for all who want to know at the same time. */
  private CompletionStage<Void> ask(StoreClient store, StoreNode node, Optional<String> runId) {
    CompletableFuture<Void> mine = new CompletableFuture<>();
    CompletableFuture<Void> other = asking.putIfAbsent(node, mine);
    if (other != null) {
      return other;
    }
    Stages.compose(store.cluster() ? store.commands(KEY) : node.commands(), VersionFence::claim)
        .whenComplete(
            (answer, failure) -> {
              asking.remove(node, mine);
              if (failure != null) {
                mine.completeExceptionally(Stages.cause(failure));
              } else {
                decide(store, node, runId, answer, mine);
              }
            });
    return mine;
  }

  private static CompletionStage<List<Object>> claim(
      RedisClusterAsyncCommands<byte[], byte[]> commands) {
    return CLAIM.run(
        commands,
        ScriptOutputType.MULTI,
        KEY,
        Integer.toString(VERSION).getBytes(StandardCharsets.US_ASCII));
  }

  private void decide(
      StoreClient store,
      StoreNode node,
      Optional<String> runId,
      List<Object> answer,
      CompletableFuture<Void> asked) {
    if ((Long) answer.get(0) == 1) {
      // the process may have changed while it was asked: then it is asked again
      if (runId.isPresent() && runId.equals(node.runId())) {
        passed.put(node, new Passed(runId.get(), System.nanoTime()));
      }
      passed.keySet().removeIf(known -> known.runId().isEmpty());
      if (refused.remove(store.name()) != null) {
        log.atInfo().addKeyValue("store", store.name()).log("store may be written again");
      }
      asked.complete(null);
      return;
    }
    passed.remove(node);
    String standing = Bytes.copyOf((byte[]) answer.get(1)).toString();
    String why =
        "store "
            + store.name()
            + " is claimed by version '"
            + standing
            + "' of the repair worker ("
            + NAME
            + " on "
            + node.id()
            + "); this one is version "
            + VERSION
            + " and writes nothing there";
    if (!why.equals(refused.put(store.name(), why))) {
      log.atWarn()
          .addKeyValue("store", store.name())
          .addKeyValue("node", node.id())
          .addKeyValue("claimed", standing)
          .addKeyValue("version", VERSION)
          .log("store is claimed by a newer version; nothing is written there");
    }
    asked.completeExceptionally(new StoreFencedException(why));
  }
}
