package dev.restitch.watch;

import static dev.restitch.read.TestRedis.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.restitch.avro.Coverage;
import dev.restitch.avro.Gap;
import dev.restitch.avro.KeyState;
import dev.restitch.avro.Observation;
import dev.restitch.config.RestitchConfig;
import dev.restitch.read.TestRedis;
import dev.restitch.read.TestStores;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import io.lettuce.core.KillArgs;
import io.lettuce.core.SetArgs;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WatcherIT {

  private TestRedis east;
  private TestRedis west0;
  private TestRedis west1;
  private Map<String, StoreClient> stores;
  private TestProducer producer;
  private Watcher watcher;

  @BeforeEach
  void open() {
    east = TestRedis.primary();
    west0 = TestRedis.primary();
    west1 = TestRedis.primary();
    RestitchConfig config =
        TestStores.config(TestStores.one(east), TestStores.shards(west0, west1));
    stores = StoreClients.openAll(config, "test");
    producer = new TestProducer();
    watcher = new Watcher(config, stores, producer.mock(), "test");
    watcher.start();
    await().until(() -> watcher.subscribed() && gaps().size() == 9);
  }

  @AfterEach
  void close() {
    watcher.close();
    stores.values().forEach(StoreClient::close);
    List.of(east, west0, west1).forEach(TestRedis::close);
  }

  private List<Observation> observations() {
    return producer.values("restitch-observations", Observation.class);
  }

  private List<Gap> gaps() {
    return producer.values("restitch-gaps", Gap.class);
  }

  private void awaitSettled(long received) {
    await()
        .untilAsserted(
            () -> {
              assertThat(watcher.counters().received()).isGreaterThanOrEqualTo(received);
              assertThat(watcher.counters().pending()).isZero();
            });
    assertThat(watcher.counters().balanced()).isTrue();
    assertThat(watcher.counters().failed()).isZero();
  }

  @Test
  void shouldOpenAGapOnEveryPrimaryAndTellItToEveryPartition() {
    assertThat(gaps())
        .allSatisfy(
            gap -> {
              assertThat(gap.getWhy()).isEqualTo("start");
              assertThat(gap.getFromMillis()).isZero();
              assertThat(gap.getToMillis()).isPositive();
            });
    assertThat(gaps().stream().map(Gap::getNode).collect(Collectors.toSet()))
        .containsExactlyInAnyOrder(east.address(), west0.address(), west1.address());
    assertThat(producer.partitions("restitch-gaps", east.address())).containsExactly(0, 1, 2);
  }

  @Test
  void shouldSeeEverySideOnEveryShard() {
    for (int i = 0; i < 40; i++) {
      east.set("user:" + i + ":profile", i + ":t" + i + ":x");
      shard("user:" + i + ":settings").set("user:" + i + ":settings", i + ":t" + i + ":x");
    }
    awaitSettled(80);

    assertThat(observations()).hasSize(80);
    assertThat(producer.keys("restitch-observations"))
        .contains("user/0", "user/39")
        .doesNotContain("user/40");
    Observation first = observations().get(0);
    assertThat(first.getEvent()).isEqualTo("set");
    assertThat(first.getReading().getPrimary()).isNotNull();
  }

  private TestRedis shard(String key) {
    return stores
            .get("west")
            .nodeOf(dev.restitch.model.Bytes.utf8(key))
            .id()
            .equals(west0.address())
        ? west0
        : west1;
  }

  @Test
  void shouldTellWhyASideIsGone() {
    east.set("user:1:profile", "1:t:x");
    east.del("user:1:profile");
    east.commands().set(bytes("user:2:profile"), bytes("1:t:x"), SetArgs.Builder.px(50));
    await().until(() -> last("user:2:profile").getReading().getState() == KeyState.ABSENT);
    awaitSettled(4);

    assertThat(last("user:1:profile").getEvent()).isEqualTo("del");
    assertThat(last("user:1:profile").getReading().getState()).isEqualTo(KeyState.ABSENT);
    assertThat(last("user:2:profile").getEvent()).isEqualTo("expired");
  }

  private Observation last(String key) {
    List<Observation> all =
        observations().stream()
            .filter(o -> o.getReading().getKey().equals(java.nio.ByteBuffer.wrap(bytes(key))))
            .toList();
    return all.isEmpty()
        ? Observation.newBuilder()
            .setReading(
                dev.restitch.read.SideReader.unreadable(
                    new dev.restitch.model.StoreKey("east", dev.restitch.model.Bytes.utf8(key))))
            .setObservedAtMillis(0)
            .build()
        : all.get(all.size() - 1);
  }

  @Test
  void shouldCoalesceABurstOnOneKeyAndEndWithItsLastValue() {
    for (int i = 1; i <= 5_000; i++) {
      east.set("user:1:profile", i + ":t" + i + ":x");
    }
    awaitSettled(5_000);

    List<Long> versions = observations().stream().map(o -> o.getReading().getVersion()).toList();
    assertThat(versions).isSorted().last().isEqualTo(5_000L);
    WatcherCounters counters = watcher.counters();
    assertThat(counters.received()).isEqualTo(5_000);
    assertThat(counters.published()).isEqualTo(versions.size());
    assertThat(counters.coalesced()).isEqualTo(5_000 - versions.size());
  }

  @Test
  void shouldFilterKeysThatAreNoSides() {
    east.set("user:1:2:profile", "x");
    east.set("other", "x");
    east.set("user:1:profile", "1:t:x");
    awaitSettled(2);

    assertThat(watcher.counters().filtered()).isEqualTo(1);
    assertThat(observations()).hasSize(1);
  }

  @Test
  void shouldOpenAGapWhenTheServerKillsTheSubscription() {
    await().until(() -> covered(east) > 0);
    int before = gaps().size();
    long coveredBefore = covered(east);
    east.commands().clientKill(KillArgs.Builder.typePubsub());

    await().until(() -> gaps().size() == before + 3 && watcher.subscribed());

    Gap gap = gaps().get(before);
    assertThat(gap.getWhy()).isEqualTo("reconnect");
    assertThat(gap.getNode()).isEqualTo(east.address());
    assertThat(gap.getFromMillis()).isGreaterThanOrEqualTo(coveredBefore);
    east.set("user:7:profile", "1:t:x");
    await().until(() -> last("user:7:profile").getReading().getState() == KeyState.STAMPED);
    assertThat(watcher.counters().gapsOpened()).isEqualTo(watcher.counters().gapsPublished());
  }

  private long covered(TestRedis redis) {
    return watcher.nodes().stream()
        .filter(node -> node.node().equals(redis.address()))
        .mapToLong(WatchedNode::coveredThroughMillis)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldCoverOnWhileSubscribed() {
    await().until(() -> covered(east) > 0 && covered(west0) > 0 && covered(west1) > 0);
    long before = covered(east);
    await().until(() -> covered(east) > before);

    List<Coverage> marks = producer.values("restitch-coverage", Coverage.class);
    assertThat(marks.stream().map(Coverage::getNode).collect(Collectors.toSet()))
        .isEqualTo(Set.of(east.address(), west0.address(), west1.address()));
    assertThat(producer.keys("restitch-coverage")).contains("east/" + east.address());
  }

  @Test
  void shouldBeBlindWhileTheServerTellsNoEventsAndOpenAGapAfterwards() {
    await().until(() -> covered(east) > 0);
    int before = gaps().size();
    east.commands().configSet("notify-keyspace-events", "");
    await().until(() -> !watcher.subscribed());
    east.set("user:1:profile", "1:t:x");
    assertThat(gaps()).hasSize(before);

    east.commands().configSet("notify-keyspace-events", "AKE");

    await().until(() -> gaps().size() == before + 3);
    assertThat(gaps().get(before).getWhy()).isEqualTo("notifications-off");
  }

  @Test
  void shouldCountAndTellWhatKafkaDoesNotTake() {
    int before = gaps().size();
    producer.refuse(new IllegalStateException("no broker"), "restitch-observations");
    east.set("user:1:profile", "1:t:x");
    await().until(() -> watcher.counters().failed() == 1);
    producer.accept();

    await().until(() -> gaps().size() == before + 3);
    assertThat(gaps().get(before).getWhy()).isEqualTo("unpublished");
    assertThat(watcher.counters().balanced()).isTrue();
  }
}
