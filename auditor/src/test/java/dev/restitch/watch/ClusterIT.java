package dev.restitch.watch;

import static dev.restitch.read.TestRedis.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.restitch.avro.Gap;
import dev.restitch.avro.KeyState;
import dev.restitch.avro.Observation;
import dev.restitch.avro.Reading;
import dev.restitch.config.RestitchConfig;
import dev.restitch.model.Bytes;
import dev.restitch.read.SideReader;
import dev.restitch.read.TestRedis;
import dev.restitch.read.TestStores;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClusterIT {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private List<TestRedis> nodes;
  private TestRedis west;
  private RestitchConfig config;
  private Map<String, StoreClient> stores;
  private RedisClusterClient client;
  private StatefulRedisClusterConnection<byte[], byte[]> writer;
  private final TestProducer producer = new TestProducer();
  private Watcher watcher;

  @BeforeEach
  void open() {
    nodes = TestRedis.cluster(3);
    west = TestRedis.primary();
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                nodes.stream()
                    .allMatch(
                        n ->
                            n.commands().clusterInfo().contains("cluster_state:ok")
                                && n.commands().clusterNodes().lines().count() == 3));
    config = TestStores.config(TestStores.cluster(nodes.get(0)), TestStores.one(west));
    stores = StoreClients.openAll(config, "test");
    client = RedisClusterClient.create(RedisURI.create(nodes.get(0).uri()));
    writer = client.connect(ByteArrayCodec.INSTANCE);
    watcher = new Watcher(config, stores, producer.mock(), "test");
    watcher.start();
    await().atMost(PATIENCE).until(() -> watcher.subscribed() && gaps().size() == 12);
  }

  @AfterEach
  void close() {
    watcher.close();
    stores.values().forEach(StoreClient::close);
    client.shutdown();
    west.close();
    nodes.forEach(TestRedis::close);
  }

  private List<Gap> gaps() {
    return producer.values("restitch-gaps", Gap.class);
  }

  private List<Observation> observations() {
    return producer.values("restitch-observations", Observation.class);
  }

  @Test
  void shouldSeeTheKeysOfEveryPrimary() {
    for (int i = 0; i < 300; i++) {
      writer.sync().set(bytes("user:" + i + ":profile"), bytes(i + ":t" + i + ":x"));
    }
    await().untilAsserted(() -> assertThat(watcher.counters().published()).isEqualTo(300));

    assertThat(observations().stream().map(Observation::getNode).collect(Collectors.toSet()))
        .isEqualTo(nodes.stream().map(TestRedis::address).collect(Collectors.toSet()));
    assertThat(observations())
        .allMatch(o -> o.getReading().getState() == KeyState.STAMPED)
        .allMatch(o -> o.getReading().getPrimary() != null);
  }

  @Test
  void shouldReadAKeyWhoseSlotHasMoved() throws Exception {
    byte[] key = bytes("user:1:profile");
    writer.sync().set(key, bytes("7:t1:x"));
    TestRedis from = holder(key);
    TestRedis to = nodes.stream().filter(n -> n != from).findFirst().orElseThrow();
    int slot = io.lettuce.core.cluster.SlotHash.getSlot(key);
    String fromId = from.commands().clusterMyId();
    String toId = to.commands().clusterMyId();
    to.commands().clusterSetSlotImporting(slot, fromId);
    from.commands().clusterSetSlotMigrating(slot, toId);
    from.commands().migrate("127.0.0.1", to.port(), key, 0, 1_000);
    SideReader reader = new SideReader(stores, Clock.systemUTC());

    Reading moving =
        reader
            .read(config.resolver().resolve("east", Bytes.copyOf(key)).orElseThrow())
            .get(5, TimeUnit.SECONDS);
    assertThat(moving.getState()).isEqualTo(KeyState.STAMPED);
    assertThat(moving.getPrimary()).isNull();

    for (TestRedis node : nodes) {
      node.commands().clusterSetSlotNode(slot, toId);
    }
    await()
        .atMost(PATIENCE)
        .until(() -> stores.get("east").nodeOf(Bytes.copyOf(key)).id().equals(to.address()));
    Reading moved =
        reader
            .read(config.resolver().resolve("east", Bytes.copyOf(key)).orElseThrow())
            .get(5, TimeUnit.SECONDS);
    assertThat(moved.getVersion()).isEqualTo(7);
    assertThat(to.commands().info("server")).contains(moved.getPrimary());
  }

  private TestRedis holder(byte[] key) {
    String id = stores.get("east").nodeOf(Bytes.copyOf(key)).id();
    return nodes.stream().filter(n -> n.address().equals(id)).findFirst().orElseThrow();
  }

  @Test
  void shouldStopWatchingAPrimaryThatGaveItsSlotsAwayAndTellAGap() {
    TestRedis from = nodes.get(2);
    TestRedis to = nodes.get(0);
    int[] slots = IntStream.range(16384 * 2 / 3, 16384).toArray();
    int before = gaps().size();
    from.commands().clusterDelSlots(slots);
    to.commands().clusterDelSlots(slots);
    to.commands().clusterAddSlots(slots);
    to.commands().clusterBumpepoch();
    await()
        .atMost(PATIENCE)
        .until(() -> watcher.nodes().stream().noneMatch(n -> n.node().equals(from.address())));
    await().until(() -> gaps().size() > before);

    Set<String> told =
        gaps().subList(before, gaps().size()).stream()
            .map(Gap::getNode)
            .collect(Collectors.toSet());
    assertThat(told).contains(from.address());
    assertThat(gaps().get(before).getWhy()).isEqualTo("topology");
  }
}
