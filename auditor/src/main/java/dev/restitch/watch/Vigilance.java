package dev.restitch.watch;

import dev.restitch.store.StoreNode;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that a server tells the key events that are needed, and that it is a primary: a replica
 * tells events late, and loses those of writes that it never gets. Changes nothing on the server.
 */
final class Vigilance {

  private static final Logger LOG = LoggerFactory.getLogger(Vigilance.class);
  private static final String SETTING = "notify-keyspace-events";
  private static final String PRIMARY = "master";

  /** The server does not tell the key events that are needed. */
  static final String NOTIFICATIONS_OFF = "notifications-off";

  /** The server is no primary. */
  static final String REPLICA = "replica";

  private final String store;
  private final StoreNode node;
  private final String needed;
  private final Set<String> said = ConcurrentHashMap.newKeySet();
  private volatile String lastSet;

  Vigilance(String store, StoreNode node, String needed) {
    this.store = store;
    this.node = node;
    this.needed = needed;
  }

  /** What was found: null, or why the node cannot be relied on. */
  record Finding(String trouble, String role) {}

  /** Completes with what the server says of itself; fails if it does not answer. */
  CompletableFuture<Finding> check() {
    CompletableFuture<Boolean> flags =
        unlessForbidden(
            node.commands().configGet(SETTING).toCompletableFuture().thenApply(this::judge),
            "cannot see " + SETTING + "; it must contain at least " + needed,
            true);
    CompletableFuture<Optional<String>> role =
        unlessForbidden(
            node.commands().info("replication").toCompletableFuture().thenApply(Vigilance::role),
            "cannot see whether the server is a primary",
            Optional.empty());
    return flags.thenCombine(
        role,
        (told, is) -> {
          boolean replica = is.isPresent() && !is.get().equals(PRIMARY);
          sayReplica(replica);
          return new Finding(replica ? REPLICA : told ? null : NOTIFICATIONS_OFF, is.orElse(null));
        });
  }

  private static Optional<String> role(String info) {
    return info.lines()
        .filter(line -> line.startsWith("role:"))
        .map(line -> line.substring("role:".length()).trim())
        .findFirst();
  }

  private <T> CompletableFuture<T> unlessForbidden(
      CompletableFuture<T> answer, String what, T otherwise) {
    return answer.exceptionallyCompose(
        failure -> {
          String reason = Subscription.reason(failure);
          if (!reason.startsWith("NOPERM") && !reason.startsWith("ERR unknown command")) {
            return CompletableFuture.failedFuture(failure);
          }
          if (said.add(what)) {
            LOG.atWarn()
                .addKeyValue("store", store)
                .addKeyValue("node", node.id())
                .addKeyValue("reason", reason)
                .log(what);
          }
          return CompletableFuture.completedFuture(otherwise);
        });
  }

  private void sayReplica(boolean replica) {
    if (!replica) {
      said.remove(REPLICA);
    } else if (said.add(REPLICA)) {
      LOG.atError()
          .addKeyValue("store", store)
          .addKeyValue("node", node.id())
          .log(
              "blind: the server is a replica now; point the store at its primary, or make it one"
                  + " again with REPLICAOF NO ONE");
    }
  }

  private boolean judge(Map<String, String> settings) {
    String set = settings.getOrDefault(SETTING, "");
    String missing = NotificationFlags.missing(needed, set);
    if (missing.isEmpty()) {
      lastSet = null;
      return true;
    }
    if (!set.equals(lastSet)) {
      lastSet = set;
      LOG.atError()
          .addKeyValue("store", store)
          .addKeyValue("node", node.id())
          .addKeyValue("set", set)
          .addKeyValue("missing", missing)
          // what others have set is kept
          .addKeyValue("mend", "CONFIG SET " + SETTING + " '" + set + missing + "'")
          .log(
              "blind: the server does not tell the key events that are needed; run what mends it"
                  + " there, and keep it in the server's configuration file");
    }
    return false;
  }
}
