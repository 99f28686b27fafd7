package dev.restitch.watch;

import dev.restitch.store.StoreNode;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks that a server tells the key events that are needed. Changes nothing on the server. */
final class Vigilance {

  private static final Logger LOG = LoggerFactory.getLogger(Vigilance.class);
  private static final String SETTING = "notify-keyspace-events";

  private final String store;
  private final StoreNode node;
  private final String needed;
  private volatile String lastSaid = "";

  Vigilance(String store, StoreNode node, String needed) {
    this.store = store;
    this.node = node;
    this.needed = needed;
  }

  /**
   * True if the server tells them, or does not let its configuration be seen; fails if it does not
   * answer.
   */
  CompletableFuture<Boolean> check() {
    return node.commands()
        .configGet(SETTING)
        .toCompletableFuture()
        .thenApply(this::judge)
        .exceptionallyCompose(
            failure -> {
              String reason = Subscription.reason(failure);
              if (!reason.startsWith("NOPERM") && !reason.startsWith("ERR unknown command")) {
                return CompletableFuture.failedFuture(failure);
              }
              sayOnce(
                  reason,
                  () ->
                      LOG.atWarn()
                          .addKeyValue("store", store)
                          .addKeyValue("node", node.id())
                          .addKeyValue("reason", reason)
                          .log("cannot see " + SETTING + "; it must contain at least " + needed));
              return CompletableFuture.completedFuture(true);
            });
  }

  private boolean judge(Map<String, String> settings) {
    String set = settings.getOrDefault(SETTING, "");
    String missing = NotificationFlags.missing(needed, set);
    if (missing.isEmpty()) {
      lastSaid = "";
      return true;
    }
    sayOnce(
        set,
        () ->
            LOG.atError()
                .addKeyValue("store", store)
                .addKeyValue("node", node.id())
                .addKeyValue("set", set)
                .addKeyValue("missing", missing)
                // what others have set is kept
                .addKeyValue("mend", "CONFIG SET " + SETTING + " '" + set + missing + "'")
                .log(
                    "blind: the server does not tell the key events that are needed; run what"
                        + " mends it there, and keep it in the server's configuration file"));
    return false;
  }

  private void sayOnce(String what, Runnable say) {
    if (!lastSaid.equals("?" + what)) {
      lastSaid = "?" + what;
      say.run();
    }
  }
}
