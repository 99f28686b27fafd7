package dev.restitch.watch;

import static dev.restitch.read.TestRedis.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.restitch.avro.Coverage;
import dev.restitch.avro.Gap;
import dev.restitch.avro.Observation;
import dev.restitch.config.RestitchConfig;
import dev.restitch.model.Bytes;
import dev.restitch.read.TcpFaults;
import dev.restitch.read.TestRedis;
import dev.restitch.read.TestStores;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes wrong between a watcher and a server, and the gap that it becomes each time. */
class FaultsIT {

  private static final Duration PATIENCE = Duration.ofSeconds(25);

  private static TestRedis west;
  private TestRedis east;
  private TcpFaults way;
  private Map<String, StoreClient> stores;
  private final TestProducer producer = new TestProducer();
  private Watcher watcher;
  private RestitchConfig config;

  @BeforeAll
  static void openWest() {
    west = TestRedis.primary();
  }

  @AfterAll
  static void closeWest() {
    west.close();
  }

  @BeforeEach
  void open() {
    east = TestRedis.primary();
    way = new TcpFaults(east.port());
    config = TestStores.config("{ uri: \"" + way.uri() + "\" }", TestStores.one(west));
    stores = StoreClients.openAll(config, "test");
    watch(new Watcher(config, stores, producer.mock(), "test"));
  }

  private void watch(Watcher fresh) {
    int before = gaps().size();
    watcher = fresh;
    watcher.start();
    await()
        .atMost(PATIENCE)
        .until(() -> watcher.subscribed() && gaps().size() == before + 3 && covered() > 0);
  }

  @AfterEach
  void close() {
    watcher.close();
    stores.values().forEach(StoreClient::close);
    way.close();
    east.close();
  }

  private List<Gap> gaps() {
    return producer.values("restitch-gaps", Gap.class).stream()
        .filter(gap -> gap.getNode().equals(way.address()))
        .toList();
  }

  private WatchedNode node() {
    return watcher.nodes().stream()
        .filter(node -> node.node().equals(way.address()))
        .findFirst()
        .orElseThrow();
  }

  private long covered() {
    return node().coveredThroughMillis();
  }

  private boolean seen(String key) {
    return producer.values("restitch-observations", Observation.class).stream()
        .anyMatch(o -> Bytes.copyOf(o.getReading().getKey()).equals(Bytes.utf8(key)));
  }

  /** Awaits the gap that follows these, and that all is well and counted after it. */
  private Gap awaitGap(int before) {
    await().atMost(PATIENCE).until(() -> gaps().size() >= before + 3 && watcher.subscribed());
    east.set("user:99:profile", "1:t:x");
    awaitBalance();
    return gaps().get(before);
  }

  private void awaitBalance() {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              WatcherCounters counted = watcher.counters();
              assertThat(counted.pending()).isZero();
              assertThat(counted.received())
                  .isEqualTo(
                      counted.published()
                          + counted.coalesced()
                          + counted.filtered()
                          + counted.failed());
              assertThat(counted.gapsPublished()).isEqualTo(counted.gapsOpened());
            });
  }

  @Test
  void shouldTellAGapOfWhatWasWrittenWhileTheConnectionWasCutAndRefused() {
    int before = gaps().size();
    way.refuse();
    way.cut();
    await().until(() -> !watcher.subscribed());
    east.set("user:1:profile", "1:t:x");
    long missed = System.currentTimeMillis();
    assertThat(node().state().getTrouble()).isEqualTo("disconnected");
    assertThat(gaps()).hasSize(before);
    way.allow();

    Gap gap = awaitGap(before);
    assertThat(gap.getWhy()).isEqualTo("reconnect");
    assertThat(gap.getFromMillis()).isLessThanOrEqualTo(missed);
    assertThat(gap.getToMillis()).isGreaterThanOrEqualTo(missed);
    await().until(() -> seen("user:99:profile"));
    assertThat(seen("user:1:profile")).isFalse();
  }

  @Test
  void shouldTellAGapWhenTheServerDropsASlowSubscriber() {
    int before = gaps().size();
    east.commands().configSet("client-output-buffer-limit", "pubsub 65536 0 0");
    way.stallSubscribers(true);
    long missed = System.currentTimeMillis();
    String id = "x".repeat(4_000);
    for (int i = 0; i < 5_000 && subscribers() > 0; i++) {
      east.set("user:" + i + id + ":profile", "1:t:x");
    }
    assertThat(subscribers()).isZero();
    way.stallSubscribers(false);

    Gap gap = awaitGap(before);
    assertThat(gap.getWhy()).isEqualTo("reconnect");
    assertThat(gap.getFromMillis()).isLessThanOrEqualTo(missed);
    assertThat(gap.getToMillis()).isGreaterThanOrEqualTo(missed);
  }

  private long subscribers() {
    return east.commands().clientList().lines().filter(line -> line.contains(" psub=4")).count();
  }

  @Test
  void shouldAskAgainWhereTheServerRefusedToSubscribe() {
    int before = gaps().size();
    // takes the right away, and with it the connections that used it
    east.commands().aclSetuser("default", AclSetuserArgs.Builder.resetChannels());
    await().until(() -> !watcher.subscribed());
    east.set("user:1:profile", "1:t:x");
    long missed = System.currentTimeMillis();
    await().during(Duration.ofMillis(1_500)).until(() -> gaps().size() == before);
    east.commands().aclSetuser("default", AclSetuserArgs.Builder.allChannels());

    Gap gap = awaitGap(before);
    assertThat(gap.getFromMillis()).isLessThanOrEqualTo(missed);
    assertThat(gap.getToMillis()).isGreaterThanOrEqualTo(missed);
  }

  @Test
  void shouldBeBlindAfterARestartWithNotificationsOff() {
    int before = gaps().size();
    try (TestRedis restarted = TestRedis.silent()) {
      way.target(restarted.port());
      way.cut();
      await().atMost(PATIENCE).until(() -> "notifications-off".equals(node().state().getTrouble()));
      restarted.set("user:1:profile", "1:t:x");
      long missed = System.currentTimeMillis();
      assertThat(watcher.subscribed()).isFalse();
      assertThat(gaps()).hasSize(before);
      restarted.commands().configSet("notify-keyspace-events", "KEA");

      await().atMost(PATIENCE).until(() -> watcher.subscribed() && gaps().size() == before + 3);
      assertThat(gaps().get(before).getToMillis()).isGreaterThanOrEqualTo(missed);
      restarted.set("user:2:profile", "1:t:x");
      await().until(() -> seen("user:2:profile"));
      assertThat(seen("user:1:profile")).isFalse();
      awaitBalance();
    }
  }

  @Test
  void shouldBeBlindWhileTheServerIsAReplica() {
    int before = gaps().size();
    east.commands().replicaof("127.0.0.1", west.port());
    await().atMost(PATIENCE).until(() -> "replica".equals(node().state().getTrouble()));
    assertThat(watcher.subscribed()).isFalse();
    assertThat(node().state().getRole()).isEqualTo("slave");
    east.commands().replicaofNoOne();

    Gap gap = awaitGap(before);
    assertThat(gap.getWhy()).isIn("replica", "reconnect");
    assertThat(node().state().getRole()).isEqualTo("master");
  }

  @Test
  void shouldGiveUpAConnectionThatSwallowsEverything() {
    int before = gaps().size();
    way.swallow(true);
    east.set("user:1:profile", "1:t:x");
    long missed = System.currentTimeMillis();
    await().atMost(PATIENCE).until(() -> !watcher.subscribed());
    way.swallow(false);
    way.cut();

    Gap gap = awaitGap(before);
    assertThat(gap.getFromMillis()).isLessThanOrEqualTo(missed);
    assertThat(gap.getToMillis()).isGreaterThanOrEqualTo(missed);
  }

  @Test
  void shouldTellAGapWhenItsOwnQueueOverflows() {
    watcher.close();
    watch(new Watcher(config, stores, producer.mock(), "test", NodeShare.everything(), 8));
    int before = gaps().size();
    for (int i = 0; i < 5_000; i++) {
      east.commands()
          .getStatefulConnection()
          .async()
          .set(bytes("user:" + i + ":profile"), bytes("1:t:x"));
    }

    Gap gap = awaitGap(before);
    assertThat(gap.getWhy()).isEqualTo("overflow");
    assertThat(watcher.counters().failed()).isPositive();
    assertThat(watcher.counters().received()).isGreaterThanOrEqualTo(5_000);
  }

  @Test
  void shouldGoOnFromTheMarkOfAWatchThatDied() {
    await().until(() -> producer.values("restitch-coverage", Coverage.class).size() > 2);
    Watcher dead = watcher;
    long died = System.currentTimeMillis();
    east.commands().clientKill(KillArgs.Builder.typePubsub());
    dead.close();
    east.set("user:1:profile", "1:t:x");
    long missed = System.currentTimeMillis();
    int before = gaps().size();
    watch(new Watcher(config, stores, producer.mock(), "other", new RememberedMarks(producer)));

    Gap gap = gaps().get(before);
    assertThat(gap.getWhy()).isEqualTo("takeover");
    assertThat(gap.getFromMillis()).isPositive().isLessThanOrEqualTo(died);
    assertThat(gap.getToMillis()).isGreaterThanOrEqualTo(missed);
  }
}
