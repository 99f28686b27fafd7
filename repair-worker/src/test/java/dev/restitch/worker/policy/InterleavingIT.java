package dev.restitch.worker.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.restitch.avro.Outcome;
import dev.restitch.avro.Policy;
import dev.restitch.config.RestitchConfig;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import dev.restitch.worker.Form;
import dev.restitch.worker.FormsConfig;
import dev.restitch.worker.TestCluster;
import dev.restitch.worker.TestRedis;
import dev.restitch.worker.Watched;
import dev.restitch.writer.io.Stages;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Lets something happen before every single command of a repair, for each policy and form: writes,
 * deletes and expiries by clients, flushed scripts, a twin of the worker, commands that are cut off
 * before or after they were sent. Whatever a client has written or deleted then is not changed by
 * the repair any more, and no effect happens twice.
 */
class InterleavingIT {

  /** More commands than any repair here sends. */
  private static final int MOST = 40;

  private enum Event {
    NEWER_ON_BOTH,
    NEWER_BEHIND,
    NEWER_AT_SOURCE,
    OLDER_BEHIND,
    BOTH_DELETED,
    BEHIND_DELETED,
    BEHIND_EXPIRED,
    SCRIPTS_FLUSHED,
    TWIN,
    NOT_SENT,
    ANSWER_LOST
  }

  private static TestRedis eastServer;
  private static TestRedis westServer;
  private static TestCluster cluster;

  private RedisClusterCommands<String, String> east;
  private RedisClusterCommands<String, String> west;
  private Map<String, StoreClient> stores;

  /** Of another worker: events happen on the threads of the first one. */
  private Map<String, StoreClient> twinsStores;

  private Mending mending;
  private Mending twin;
  private int schedules;
  private int repaired;
  private int twins;
  private final List<String> lost = new ArrayList<>();

  @BeforeAll
  static void startServers() {
    eastServer = new TestRedis();
    westServer = new TestRedis();
    cluster = new TestCluster();
  }

  @AfterAll
  static void stopServers() {
    eastServer.close();
    westServer.close();
    cluster.close();
  }

  @Test
  void shouldNeverLoseANewerWriteOnSinglePrimaries() {
    east = eastServer.commands();
    west = westServer.commands();
    explore(
        "single primaries",
        FormsConfig.of(
            "{ uri: \"" + eastServer.uri() + "\" }", "{ uri: \"" + westServer.uri() + "\" }"),
        700);
  }

  @Test
  void shouldNeverLoseANewerWriteOnACluster() {
    east = cluster.commands();
    west = cluster.commands();
    String store = "{ cluster: [ \"" + cluster.uri() + "\" ] }";
    explore("a cluster", FormsConfig.of(store, store), 700);
  }

  private void explore(String where, RestitchConfig config, int atLeast) {
    stores = StoreClients.openAll(config, "interleaving-test");
    twinsStores = StoreClients.openAll(config, "interleaving-twin");
    mending = new Mending(config);
    twin = new Mending(config);
    try {
      for (Torn kind : kinds()) {
        for (Event event : Event.values()) {
          every(kind, event);
        }
      }
    } finally {
      mending.close();
      twin.close();
      stores.values().forEach(StoreClient::close);
      twinsStores.values().forEach(StoreClient::close);
    }
    System.out.printf(
        "%s: %d schedules, %d repaired, %d lost a client's write or happened twice%n",
        where, schedules, repaired, lost.size());
    assertThat(lost).isEmpty();
    assertThat(schedules).isGreaterThan(atLeast);
    assertThat(repaired).isPositive();
    assertThat(twins).isPositive();
  }

  private static List<Torn> kinds() {
    List<Torn> kinds = new ArrayList<>();
    for (boolean absent : new boolean[] {false, true}) {
      for (Policy policy :
          List.of(Policy.ACCEPT_NEWEST, Policy.ROLL_FORWARD, Policy.SOURCE_OF_TRUTH)) {
        kinds.add(new Torn("conf", Form.STRING, policy, absent, ""));
        kinds.add(new Torn("card", Form.HASH, policy, absent, ""));
        if (policy != Policy.ACCEPT_NEWEST) {
          kinds.add(new Torn("list", Form.LIST, policy, absent, ""));
          kinds.add(new Torn("rank", Form.ZSET, policy, absent, ""));
        }
      }
    }
    return kinds;
  }

  /**
   * Lets the event happen before the first command, then before the second, until there is none.
   */
  private void every(Torn kind, Event event) {
    for (int at = 1; at <= MOST; at++) {
      String id = event.name().toLowerCase(java.util.Locale.ROOT) + at;
      Torn torn =
          new Torn(kind.relation(), kind.form(), kind.policy(), kind.absent(), id + absent(kind));
      if (!one(torn, event, at)) {
        return;
      }
      schedules++;
    }
    throw new AssertionError(kind + " sends more than " + MOST + " commands");
  }

  private static String absent(Torn kind) {
    return kind.policy() + (kind.absent() ? "a" : "b");
  }

  /** False if the repair sends fewer commands. */
  private boolean one(Torn torn, Event event, int at) {
    torn.tear(east, west);
    RepairOrder order = mending.order(torn);
    Map<String, String> byClients = new LinkedHashMap<>();
    boolean[] happened = {false};
    Watched watched =
        new Watched(
            at,
            fate(event),
            () -> {
              happened[0] = true;
              try {
                happen(torn, order, event, byClients);
              } catch (RuntimeException | AssertionError e) {
                // else it would pass for a command that was cut off
                lost.add(torn + ", " + event + " before command " + at + " went wrong: " + e);
              }
            });
    Repair repair = mend(order, torn, watched);
    if (!happened[0]) {
      return false;
    }
    if (event == Event.TWIN && !repair.stands()) {
      // two workers have minted at once, and each met the other's writes: it is delivered again
      repair = mending.mend(order, torn, stores);
    }
    check(torn, event, at, repair, byClients);
    if (at == 1) {
      deliverLate(torn, order, event + " before command " + at);
    }
    return true;
  }

  private Repair mend(RepairOrder order, Torn torn, Watched watched) {
    try {
      return mending.mend(order, torn, watched.over(stores));
    } catch (CompletionException cut) {
      if (!(Stages.cause(cut) instanceof RedisConnectionException)) {
        throw cut;
      }
      // the worker tries again; the event is past
      return mending.mend(order, torn, stores);
    }
  }

  private static Watched.Fate fate(Event event) {
    return switch (event) {
      case NOT_SENT -> Watched.Fate.NOT_SENT;
      case ANSWER_LOST -> Watched.Fate.ANSWER_LOST;
      default -> Watched.Fate.SENT;
    };
  }

  private void happen(Torn torn, RepairOrder order, Event event, Map<String, String> byClients) {
    Form form = torn.form();
    switch (event) {
      case NEWER_ON_BOTH -> {
        form.write(east, torn.one(), 9, "client");
        form.write(west, torn.two(), 9, "client");
        byClients.put(torn.one(), form.show(east, torn.one()));
        byClients.put(torn.two(), form.show(west, torn.two()));
      }
      case NEWER_BEHIND -> {
        form.write(west, torn.two(), 9, "client");
        byClients.put(torn.two(), form.show(west, torn.two()));
      }
      case NEWER_AT_SOURCE -> {
        form.write(east, torn.one(), 9, "client");
        byClients.put(torn.one(), form.show(east, torn.one()));
      }
      case OLDER_BEHIND -> {
        form.write(west, torn.two(), 1, "late");
        byClients.put(torn.two(), form.show(west, torn.two()));
      }
      case BOTH_DELETED -> {
        east.del(torn.one());
        west.del(torn.two());
        byClients.put(torn.one(), "null");
        byClients.put(torn.two(), "null");
      }
      case BEHIND_DELETED -> {
        if (west.del(torn.two()) > 0) {
          byClients.put(torn.two(), "null");
        }
      }
      case BEHIND_EXPIRED -> {
        if (west.pexpire(torn.two(), 1)) {
          await()
              .pollDelay(Duration.ofMillis(2))
              .pollInterval(Duration.ofMillis(2))
              .until(() -> west.exists(torn.two()) == 0);
          byClients.put(torn.two(), "null");
        }
      }
      case SCRIPTS_FLUSHED -> {
        east.scriptFlush();
        west.scriptFlush();
      }
      case TWIN -> {
        twins++;
        assertThat(twin.mend(order, torn, twinsStores).outcome()).isNotEqualTo(Outcome.FAILED);
      }
      case NOT_SENT, ANSWER_LOST -> {}
    }
  }

  private void check(Torn torn, Event event, int at, Repair repair, Map<String, String> byClients) {
    String where = torn + ", " + event + " before command " + at + ", " + repair.outcome();
    String one = torn.form().show(east, torn.one());
    String two = torn.form().show(west, torn.two());
    if (repair.stands()) {
      repaired++;
    }
    byClients.forEach(
        (key, wrote) -> {
          String stands = key.equals(torn.one()) ? one : two;
          if (!kept(torn.form(), wrote, stands)) {
            lost.add(where + ": a client left " + wrote + ", and " + stands + " stands there");
          }
        });
    if (byClients.isEmpty() && !torn.form().log() && !whole(torn, one, two)) {
      lost.add(where + ": not whole, " + one + " and " + two);
    }
    if (torn.form().log() && times(two) > 1) {
      lost.add(where + ": appended more than once, " + two);
    }
    if (byClients.isEmpty() && torn.form().log() && times(two) != 1) {
      lost.add(where + ": not appended, " + two);
    }
  }

  /** What a client left stands; a log may have the missing entry besides. */
  private static boolean kept(Form form, String wrote, String stands) {
    return form.log() && !wrote.equals("null")
        ? entries(stands).equals(entries(wrote))
        : stands.equals(wrote);
  }

  private static List<String> entries(String shown) {
    return Arrays.stream(shown.substring(1, shown.length() - 1).split(", "))
        .filter(entry -> !entry.startsWith(Torn.TOKEN + ":"))
        .toList();
  }

  private static int times(String log) {
    return log.split("\\b" + Torn.TOKEN + ":", -1).length - 1;
  }

  private static boolean whole(Torn torn, String one, String two) {
    return one.equals(two) && one.contains(Torn.TOKEN + "-payload") && !torn.form().log();
  }

  /** A zombie delivers the same command again, after clients have gone on. */
  private void deliverLate(Torn torn, RepairOrder order, String when) {
    Form form = torn.form();
    form.write(east, torn.one(), 90, "later");
    form.write(west, torn.two(), 90, "later");
    String one = form.show(east, torn.one());
    String two = form.show(west, torn.two());
    mending.mend(order, torn, stores);
    String now = form.show(west, torn.two());
    boolean same =
        form.log() ? entries(now).equals(entries(two)) && times(now) <= 1 : now.equals(two);
    if (!same || !form.show(east, torn.one()).equals(one)) {
      lost.add(torn + ", " + when + ": delivered late it made " + now + " of " + two);
    }
    east.del(torn.one());
    west.del(torn.two());
    mending.mend(order, torn, stores);
    if (east.exists(torn.one()) + west.exists(torn.two()) > 0) {
      lost.add(torn + ", " + when + ": delivered late it brought back what was deleted");
    }
  }
}
