package dev.restitch.sweep;

import static dev.restitch.read.TestRedis.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.restitch.avro.Gap;
import dev.restitch.avro.KeyState;
import dev.restitch.avro.Reading;
import dev.restitch.model.Bytes;
import dev.restitch.read.TestRedis;
import dev.restitch.read.TestStores;
import dev.restitch.watch.TestProducer;
import dev.restitch.watch.Watcher;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.sync.RedisAdvancedClusterCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** A cluster with replicas, and beside it a store of shards. The tests share the servers. */
@TestMethodOrder(OrderAnnotation.class)
class ClusterSweepIT {

  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final int USERS = 300;

  private static List<TestRedis> nodes;
  private static List<TestRedis> shards;
  private RedisClusterClient client;
  private RedisAdvancedClusterCommands<byte[], byte[]> writer;
  private SweepRig rig;

  @BeforeAll
  static void openServers() {
    nodes = TestRedis.replicated(3);
    shards = List.of(TestRedis.primary(), TestRedis.primary());
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                nodes.stream()
                    .allMatch(n -> n.commands().clusterInfo().contains("cluster_state:ok")));
    for (int replica = 1; replica < 6; replica += 2) {
      TestRedis node = nodes.get(replica);
      await()
          .atMost(PATIENCE)
          .until(() -> node.commands().info("replication").contains("master_link_status:up"));
    }
  }

  @AfterAll
  static void closeServers() {
    shards.forEach(TestRedis::close);
    nodes.forEach(TestRedis::close);
  }

  @BeforeEach
  void open() {
    rig =
        new SweepRig(
            TestStores.cluster(nodes.get(2)),
            TestStores.shards(shards.get(0), shards.get(1)),
            "{ rate: 0, gap-rate: 1000000, latency: 10s }");
    client = RedisClusterClient.create(RedisURI.create(nodes.get(2).uri()));
    writer = client.connect(ByteArrayCodec.INSTANCE).sync();
    for (int i = 0; i < USERS; i++) {
      user(i, 1);
    }
  }

  @AfterEach
  void close() {
    rig.close();
    client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
  }

  private void user(int id, int version) {
    writer.set(profile(id), bytes(version + ":t" + version + ":x"));
    settings(id, version);
  }

  private void settings(int id, int version) {
    Bytes key = Bytes.utf8("user:" + id + ":settings");
    String node = rig.stores.get("west").nodeOf(key).id();
    shards.stream()
        .filter(shard -> shard.address().equals(node))
        .forEach(shard -> shard.set(key.toString(), version + ":t" + version + ":y"));
  }

  private static byte[] profile(int id) {
    return bytes("user:" + id + ":profile");
  }

  private TestRedis holder(int id) {
    String node = rig.stores.get("east").nodeOf(Bytes.copyOf(profile(id))).id();
    return nodes.stream().filter(n -> n.address().equals(node)).findFirst().orElseThrow();
  }

  @Test
  @Order(1)
  void shouldFindWhatDisagreesOnEveryPrimaryAndShard() {
    List<String> torn = new ArrayList<>();
    for (int i = 0; i < USERS; i += 30) {
      settings(i, 2);
      torn.add("user/" + i);
    }
    rig.start();
    rig.gapEverywhere();
    await().atMost(PATIENCE).until(rig::swept);

    assertThat(rig.suspects()).hasSameElementsAs(torn);
    assertThat(rig.sweeper().counters().pending()).isZero();
    assertThat(rig.sweeper().counters().scanned()).isEqualTo(2 * USERS);
    assertThat(rig.book.marks()).hasSize(5).allMatch(mark -> mark.getLastUnreadable() == 0);
  }

  @Test
  @Order(2)
  void shouldPublishNothingAbsentWhileSlotsMove() throws Exception {
    rig.start();
    AtomicBoolean stop = new AtomicBoolean();
    Thread gaps =
        new Thread(
            () -> {
              while (!stop.get()) {
                rig.gapEverywhere();
                await().atMost(PATIENCE).until(() -> rig.swept() || stop.get());
              }
            });
    gaps.start();
    TestRedis from = nodes.get(2);
    TestRedis to = nodes.get(4);
    try {
      for (int i = 0; i < USERS; i++) {
        if (holder(i) == from) {
          move(SlotHash.getSlot(profile(i)), from, to);
        }
      }
    } finally {
      stop.set(true);
      gaps.join();
    }
    rig.gapEverywhere();
    await().atMost(PATIENCE).until(rig::swept);

    assertThat(rig.sweeper().counters().scanned()).isGreaterThan(2L * USERS);
    assertThat(rig.suspects()).isEmpty();
  }

  private static void move(int slot, TestRedis from, TestRedis to) {
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

  @Test
  @Order(3)
  void shouldFindWhatAFailoverLostThoughNoNotificationTells() {
    TestRedis killed = nodes.get(0);
    TestRedis promoted = nodes.get(1);
    List<String> lost = new ArrayList<>();
    try (Watcher watcher = new Watcher(rig.config, rig.stores, rig.producer.mock(), "test")) {
      watcher.start();
      rig.start();
      await().atMost(PATIENCE).until(() -> watcher.subscribed() && told() == 5);
      await().atMost(PATIENCE).until(rig::swept);
      assertThat(rig.published()).isEmpty();
      await().atMost(PATIENCE).until(() -> killed.commands().waitForReplication(1, 1_000) == 1);
      forbidReplication(killed);
      for (int i = 0; i < USERS; i++) {
        if (holder(i) == killed) {
          user(i, 2);
          lost.add("user/" + i);
        }
      }
      assertThat(lost).hasSizeGreaterThan(20);
      killed.kill();
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  watcher.subscribed()
                      && watcher.nodes().stream()
                          .anyMatch(n -> n.node().equals(promoted.address())));
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                told();
                return rig.book.closed("east/" + promoted.address()) > 0
                    && rig.book.closed("east/" + killed.address()) > 1
                    && rig.swept();
              });

      assertThat(rig.published()).containsExactlyInAnyOrderElementsOf(lost);
      assertThat(rig.snapshots())
          .allSatisfy(
              snapshot -> {
                assertThat(snapshot.getSides())
                    .extracting(Reading::getVersion)
                    .containsExactly(1L, 2L);
                assertThat(snapshot.getSides()).allMatch(s -> s.getState() == KeyState.STAMPED);
              });
    }
  }

  /** Lets no replica follow any more, so that what is written next is acknowledged and lost. */
  private static void forbidReplication(TestRedis primary) {
    primary
        .commands()
        .dispatch(
            CommandType.ACL,
            new StatusOutput<>(ByteArrayCodec.INSTANCE),
            new CommandArgs<>(ByteArrayCodec.INSTANCE)
                .add("SETUSER")
                .add("default")
                .add("-psync")
                .add("-sync"));
    primary.commands().clientKill(KillArgs.Builder.typeSlave());
  }

  private int seen;

  /** Hands the gaps that the watcher told on to the book, as the topic's first partition would. */
  private int told() {
    TestProducer producer = rig.producer;
    List<Gap> gaps = producer.values("restitch-gaps", Gap.class);
    List<Integer> partitions = producer.partitions("restitch-gaps");
    for (int i = seen; i < gaps.size(); i++) {
      if (partitions.get(i) == 0) {
        rig.book.gap(gaps.get(i), i, System.currentTimeMillis());
      }
    }
    seen = gaps.size();
    return (int) partitions.stream().filter(p -> p == 0).count();
  }
}
