package dev.restitch.probe;

import static dev.restitch.read.TestRedis.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.restitch.avro.EvidenceSource;
import dev.restitch.avro.KeyRef;
import dev.restitch.avro.KeyState;
import dev.restitch.avro.ProbeRequest;
import dev.restitch.avro.Reading;
import dev.restitch.avro.Snapshot;
import dev.restitch.config.RestitchConfig;
import dev.restitch.kafka.DeadLetters;
import dev.restitch.model.Bytes;
import dev.restitch.read.TestRedis;
import dev.restitch.read.TestStores;
import dev.restitch.registry.InMemorySchemaRegistry;
import dev.restitch.serde.AvroSerializer;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import dev.restitch.watch.TestProducer;
import io.lettuce.core.KillArgs;
import io.lettuce.core.SetArgs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProberIT {

  private static final TopicPartition PROBES = new TopicPartition("restitch-probes", 0);

  private final InMemorySchemaRegistry registry = new InMemorySchemaRegistry();
  private final AvroSerializer serializer = new AvroSerializer(registry);
  private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("earliest");
  private final MockProducer<byte[], byte[]> deadProducer =
      new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
  private final DeadLetters deadLetters =
      new DeadLetters(deadProducer, "restitch-dead-letters", "test");
  private final TestProducer producer = new TestProducer();
  private TestRedis east;
  private TestRedis west;
  private Map<String, StoreClient> stores;
  private Prober prober;
  private long offset;

  @BeforeEach
  void open() {
    east = TestRedis.primary();
    west = TestRedis.primary();
    RestitchConfig config = TestStores.config(TestStores.one(east), TestStores.one(west));
    stores = StoreClients.openAll(config, "test");
    await()
        .until(
            () ->
                stores.values().stream()
                    .allMatch(store -> store.primaries().get(0).runId().isPresent()));
    prober = new Prober(config, stores, registry, producer.mock(), () -> consumer, 1, deadLetters);
    prober.start();
    await().until(() -> !consumer.subscription().isEmpty());
    consumer.schedulePollTask(
        () -> {
          consumer.rebalance(Set.of(PROBES));
          consumer.updateBeginningOffsets(Map.of(PROBES, 0L));
        });
    await().until(() -> !consumer.assignment().isEmpty());
  }

  @AfterEach
  void close() {
    prober.close();
    stores.values().forEach(StoreClient::close);
    east.close();
    west.close();
  }

  private static KeyRef ref(String store, String key) {
    return KeyRef.newBuilder().setStore(store).setKey(Bytes.utf8(key).toBuffer()).build();
  }

  private void ask(long seq, List<KeyRef> keys, List<KeyRef> markers) {
    ask(
        serializer.serialize(
            PROBES.topic(),
            ProbeRequest.newBuilder()
                .setInstance("user/1")
                .setSeq(seq)
                .setAskedAtMillis(seq + 1_000)
                .setKeys(keys)
                .setMarkers(markers)
                .setReason("test")
                .build()));
  }

  private void ask(byte[] question) {
    long at = offset++;
    consumer.schedulePollTask(
        () -> consumer.addRecord(new ConsumerRecord<>(PROBES.topic(), 0, at, "user/1", question)));
  }

  private void askForUser(long seq) {
    ask(seq, List.of(ref("east", "user:1:profile"), ref("west", "user:1:settings")), List.of());
  }

  private List<Snapshot> snapshots() {
    return producer.values("restitch-snapshots", Snapshot.class);
  }

  private Snapshot snapshot() {
    await().until(() -> snapshots().size() == 1);
    return snapshots().get(0);
  }

  private void awaitCommitted(long position) {
    await()
        .until(
            () -> {
              var committed = consumer.committed(Set.of(PROBES)).get(PROBES);
              return committed != null && committed.offset() == position;
            });
  }

  @Test
  void shouldAnswerWithEveryKeyAndMarkerInOrder() {
    east.set("user:1:profile", "7:t1:x");
    east.commands().set(bytes("txn:t1:committed"), bytes("1"), SetArgs.Builder.px(60_000));
    ask(
        4,
        List.of(ref("west", "user:1:settings"), ref("east", "user:1:profile")),
        List.of(ref("east", "txn:t1:committed"), ref("east", "txn:t0:committed")));

    Snapshot snapshot = snapshot();

    assertThat(snapshot.getStable()).isTrue();
    assertThat(snapshot.getSeq()).isEqualTo(4);
    assertThat(snapshot.getAskedAtMillis()).isEqualTo(1_004);
    assertThat(snapshot.getSource()).isEqualTo(EvidenceSource.PROBE);
    assertThat(snapshot.getSides().stream().map(Reading::getState))
        .containsExactly(KeyState.ABSENT, KeyState.STAMPED, KeyState.PRESENT, KeyState.ABSENT);
    assertThat(snapshot.getSides().get(2).getExpiresAtMillis()).isNotNull();
    assertThat(producer.keys("restitch-snapshots")).containsExactly("user/1");
    awaitCommitted(1);
  }

  @Test
  void shouldAnswerWithinMilliseconds() {
    askForUser(1);
    snapshot();
    long asked = System.nanoTime();
    askForUser(2);
    await().pollInterval(Duration.ofMillis(1)).until(() -> snapshots().size() == 2);

    assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofMillis(500));
  }

  @Test
  void shouldBeUnstableUnderAConcurrentWriter() throws InterruptedException {
    east.set("user:1:profile", "0:t:x");
    west.set("user:1:settings", "0:t:x");
    AtomicBoolean stop = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              for (long v = 1; !stop.get(); v++) {
                east.set("user:1:profile", v + ":t" + v + ":x");
              }
            });
    writer.start();
    for (int seq = 0; seq < 200; seq++) {
      askForUser(seq);
    }
    await().until(() -> snapshots().size() == 200);
    stop.set(true);
    writer.join();

    assertThat(snapshots()).anyMatch(snapshot -> !snapshot.getStable());
    assertThat(prober.counters().unstable()).isPositive();
    askForUser(200);
    await().until(() -> snapshots().size() == 201);
    assertThat(snapshots().get(200).getStable()).isTrue();
  }

  @Test
  void shouldSayUnreadableOfAShardThatDoesNotAnswer() {
    east.set("user:1:profile", "7:t1:x");
    west.commands().clientPause(8_000);
    askForUser(1);

    await().atMost(Duration.ofSeconds(20)).until(() -> snapshots().size() == 1);
    Snapshot snapshot = snapshots().get(0);
    assertThat(snapshot.getStable()).isFalse();
    assertThat(snapshot.getSides().stream().map(Reading::getState))
        .containsExactly(KeyState.STAMPED, KeyState.UNREADABLE);
  }

  @Test
  void shouldTakeAShardThatIsLostForAMomentForUnreadableNeverForAbsent() {
    east.set("user:1:profile", "7:t1:x");
    west.set("user:1:settings", "7:t1:x");
    west.commands().clientKill(KillArgs.Builder.typeNormal().skipme());
    for (int seq = 1; seq <= 50; seq++) {
      askForUser(seq);
    }
    await().until(() -> snapshots().size() == 50);
    await().until(() -> stores.get("west").primaries().get(0).runId().isPresent());
    askForUser(51);
    await().until(() -> snapshots().size() == 51);

    assertThat(snapshots().get(50).getStable()).isTrue();
    assertThat(snapshots())
        .allSatisfy(
            snapshot -> {
              List<KeyState> states = snapshot.getSides().stream().map(Reading::getState).toList();
              assertThat(states).isSubsetOf(KeyState.STAMPED, KeyState.UNREADABLE);
              assertThat(snapshot.getStable() && states.contains(KeyState.UNREADABLE)).isFalse();
            });
  }

  @Test
  void shouldPutPoisonAsideAndGoOn() {
    ask(new byte[] {9, 9, 9});
    ask(null);
    askForUser(2);

    assertThat(snapshot().getSeq()).isEqualTo(2);
    await().until(() -> deadProducer.history().size() == 2);
    awaitCommitted(3);
    ProberCounters counters = prober.counters();
    assertThat(counters.received())
        .isEqualTo(counters.answered() + counters.deadLettered() + counters.inFlight())
        .isEqualTo(3);
  }

  @Test
  void shouldSayUnreadableOfAKeyThatNoRelationDeclares() {
    ask(1, List.of(ref("east", "stranger")), List.of());

    assertThat(snapshot().getSides().get(0).getState()).isEqualTo(KeyState.UNREADABLE);
    assertThat(prober.counters().undeclared()).isEqualTo(1);
  }

  @Test
  void shouldNotTakeAReplicaForAPrimary() {
    east.set("user:1:profile", "7:t1:x");
    east.commands().replicaof("127.0.0.1", west.port());
    await().until(() -> east.commands().info("replication").contains("role:slave"));
    askForUser(1);

    assertThat(snapshot().getStable()).isFalse();
  }

  @Test
  void shouldCommitOnlyWhatTheBrokersHave() {
    producer.refuse(new IllegalStateException("no broker"), "restitch-snapshots");
    askForUser(1);
    await().until(() -> prober.counters().inFlight() == 1);
    await()
        .during(Duration.ofMillis(500))
        .until(
            () ->
                consumer.committed(Set.of(PROBES)).get(PROBES) == null
                    || consumer.committed(Set.of(PROBES)).get(PROBES).offset() == 0);
    producer.accept();

    assertThat(snapshot().getSeq()).isEqualTo(1);
    awaitCommitted(1);
  }
}
