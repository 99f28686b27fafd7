package dev.restitch.watch;

import static dev.restitch.read.TestRedis.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.restitch.avro.Gap;
import dev.restitch.avro.KeyState;
import dev.restitch.avro.Observation;
import dev.restitch.config.RestitchConfig;
import dev.restitch.model.Bytes;
import dev.restitch.read.TestRedis;
import dev.restitch.read.TestStores;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.sync.RedisAdvancedClusterCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * A cluster of three primaries with replicas that fails over, grows and moves slots. The tests
 * share it, and each goes on from where the one before left it.
 */
@TestMethodOrder(OrderAnnotation.class)
class FailoverIT {

  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final int KEYS = 60;

  private static final List<TestRedis> nodes = new ArrayList<>();
  private static TestRedis west;
  private Map<String, StoreClient> stores;
  private RedisClusterClient client;
  private RedisAdvancedClusterCommands<byte[], byte[]> writer;
  private final TestProducer producer = new TestProducer();
  private Watcher watcher;

  @BeforeAll
  static void openServers() {
    nodes.addAll(TestRedis.replicated(3));
    west = TestRedis.primary();
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                nodes.stream()
                    .allMatch(
                        n ->
                            n.commands().clusterInfo().contains("cluster_state:ok")
                                && slaves(n) == 3));
    for (int replica = 1; replica < 6; replica += 2) {
      TestRedis node = nodes.get(replica);
      await()
          .atMost(PATIENCE)
          .until(() -> node.commands().info("replication").contains("master_link_status:up"));
    }
  }

  @AfterAll
  static void closeServers() {
    west.close();
    nodes.forEach(TestRedis::close);
  }

  @BeforeEach
  void open() {
    RestitchConfig config =
        TestStores.config(TestStores.cluster(nodes.get(2)), TestStores.one(west));
    stores = StoreClients.openAll(config, "test");
    client = RedisClusterClient.create(RedisURI.create(nodes.get(2).uri()));
    client.setOptions(
        ClusterClientOptions.builder()
            .topologyRefreshOptions(
                ClusterTopologyRefreshOptions.builder()
                    .enablePeriodicRefresh(Duration.ofMillis(500))
                    .enableAllAdaptiveRefreshTriggers()
                    .build())
            .build());
    writer = client.connect(ByteArrayCodec.INSTANCE).sync();
    watcher = new Watcher(config, stores, producer.mock(), "test");
    watcher.start();
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                watcher.subscribed()
                    && watcher.nodes().size() >= 4
                    && gaps().size() == 3 * watcher.nodes().size());
  }

  private static long slaves(TestRedis node) {
    return node.commands().clusterNodes().lines().filter(line -> line.contains("slave")).count();
  }

  @AfterEach
  void close() {
    watcher.close();
    stores.values().forEach(StoreClient::close);
    client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
  }

  private List<Gap> gaps() {
    return producer.values("restitch-gaps", Gap.class);
  }

  private List<Gap> gapsOf(TestRedis node, int since) {
    List<Gap> all = gaps();
    return all.subList(since, all.size()).stream()
        .filter(gap -> gap.getNode().equals(node.address()))
        .toList();
  }

  /** The versions seen of each key, in order; fails where a key looked like anything else. */
  private Map<Integer, List<Long>> seen() {
    Map<Integer, List<Long>> versions = new HashMap<>();
    for (Observation o : producer.values("restitch-observations", Observation.class)) {
      assertThat(o.getReading().getState()).isEqualTo(KeyState.STAMPED);
      String key = Bytes.copyOf(o.getReading().getKey()).toString();
      versions
          .computeIfAbsent(Integer.parseInt(key.split(":")[1]), k -> new ArrayList<>())
          .add(o.getReading().getVersion());
    }
    return versions;
  }

  private boolean write(int key, int version) {
    try {
      writer.set(key(key), bytes(version + ":t" + version + ":x"));
      return true;
    } catch (RedisException failingOver) {
      return false;
    }
  }

  private static byte[] key(int number) {
    return bytes("user:" + number + ":profile");
  }

  private void writeAll(int version) {
    for (int key = 0; key < KEYS; key++) {
      int number = key;
      await().atMost(PATIENCE).until(() -> write(number, version));
    }
  }

  private void awaitAllSeenAt(long version) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              Map<Integer, List<Long>> seen = seen();
              assertThat(seen).hasSize(KEYS);
              assertThat(seen.values())
                  .allSatisfy(versions -> assertThat(versions).last().isEqualTo(version));
            });
    await().atMost(PATIENCE).until(() -> watcher.counters().pending() == 0);
    assertThat(watcher.counters().balanced()).isTrue();
  }

  private void awaitWatched(TestRedis node) {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                watcher.subscribed()
                    && watcher.nodes().stream().anyMatch(n -> n.node().equals(node.address())));
  }

  private boolean watched(TestRedis node) {
    return watcher.nodes().stream().anyMatch(n -> n.node().equals(node.address()));
  }

  @Test
  @Order(3)
  void shouldWatchThePromotedReplicaOfAKilledPrimaryAndTellGapsOfBoth() {
    writeAll(1);
    awaitAllSeenAt(1);
    int before = gaps().size();
    nodes.get(0).kill();
    long killed = System.currentTimeMillis();
    awaitWatched(nodes.get(1));
    await().atMost(PATIENCE).until(() -> !watched(nodes.get(0)));
    await().atMost(PATIENCE).until(() -> gapsOf(nodes.get(1), before).size() == 3);
    writeAll(2);

    awaitAllSeenAt(2);
    Gap promoted = gapsOf(nodes.get(1), before).get(0);
    assertThat(promoted.getWhy()).isEqualTo("topology");
    assertThat(promoted.getFromMillis()).isLessThan(killed);
    assertThat(promoted.getToMillis()).isGreaterThan(killed);
    await().atMost(PATIENCE).until(() -> gapsOf(nodes.get(0), before).size() == 3);
    assertThat(gapsOf(nodes.get(0), before).get(0).getFromMillis()).isLessThanOrEqualTo(killed);
  }

  @Test
  @Order(1)
  void shouldFollowAFailoverByCommand() {
    writeAll(1);
    awaitAllSeenAt(1);
    int before = gaps().size();
    long asked = System.currentTimeMillis();
    nodes.get(3).commands().clusterFailover(false);
    writeAll(2);
    awaitWatched(nodes.get(3));
    await().atMost(PATIENCE).until(() -> !watched(nodes.get(2)));
    await().atMost(PATIENCE).until(() -> gapsOf(nodes.get(3), before).size() == 3);
    writeAll(3);

    awaitAllSeenAt(3);
    assertThat(gapsOf(nodes.get(3), before).get(0).getFromMillis()).isLessThan(asked);
    assertThat(gapsOf(nodes.get(3), before).get(0).getToMillis()).isGreaterThan(asked);
    assertThat(gapsOf(nodes.get(2), before)).isNotEmpty();
  }

  @Test
  @Order(2)
  void shouldGiveNoFalseEvidenceWhileSlotsMoveToANewNodeUnderLoad() throws Exception {
    writeAll(1);
    awaitAllSeenAt(1);
    int before = gaps().size();
    TestRedis added = TestRedis.clusterNode();
    nodes.add(added);
    added.commands().clusterMeet("127.0.0.1", nodes.get(2).port());
    await()
        .atMost(PATIENCE)
        .until(
            () -> nodes.stream().allMatch(n -> n.commands().clusterNodes().lines().count() == 7));
    await()
        .atMost(PATIENCE)
        .until(() -> added.commands().clusterInfo().contains("cluster_state:ok"));
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger version = new AtomicInteger(1);
    Thread load =
        new Thread(
            () -> {
              while (!stop.get()) {
                int next = version.incrementAndGet();
                for (int key = 0; key < KEYS; key++) {
                  write(key, next);
                }
              }
            });
    load.start();
    try {
      IntStream.range(0, KEYS)
          .map(k -> SlotHash.getSlot(key(k)))
          .filter(slot -> slot < 16384 / 3)
          .distinct()
          .forEach(slot -> move(slot, nodes.get(0), added));
      awaitWatched(added);
      await().atMost(PATIENCE).until(() -> gapsOf(added, before).size() == 3);
    } finally {
      stop.set(true);
      load.join();
    }
    writeAll(version.incrementAndGet());

    awaitAllSeenAt(version.get());
    assertThat(watcher.nodes().stream().filter(n -> n.node().equals(added.address())).toList())
        .allSatisfy(n -> assertThat(n.state().getSlots()).isPositive());
    assertThat(producer.values("restitch-observations", Observation.class))
        .anyMatch(o -> o.getNode().equals(added.address()));
  }

  private void move(int slot, TestRedis from, TestRedis to) {
    String fromId = from.commands().clusterMyId();
    String toId = to.commands().clusterMyId();
    to.commands().clusterSetSlotImporting(slot, fromId);
    from.commands().clusterSetSlotMigrating(slot, toId);
    for (byte[] key : from.commands().clusterGetKeysInSlot(slot, 100)) {
      from.commands().migrate("127.0.0.1", to.port(), key, 0, 1_000);
    }
    to.commands().clusterSetSlotNode(slot, toId);
    from.commands().clusterSetSlotNode(slot, toId);
  }
}
