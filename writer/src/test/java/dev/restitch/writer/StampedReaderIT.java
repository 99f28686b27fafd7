package dev.restitch.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.restitch.avro.EvidenceSource;
import dev.restitch.avro.KeyState;
import dev.restitch.avro.Observation;
import dev.restitch.avro.Reading;
import dev.restitch.config.RestitchConfig;
import dev.restitch.model.Bytes;
import dev.restitch.registry.InMemorySchemaRegistry;
import dev.restitch.serde.AvroSerializer;
import dev.restitch.stamp.Stamp;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StampedReaderIT {

  private static final Instant NOW = Instant.ofEpochMilli(1_700_000_000_000L);
  private static final int LARGEST = 1_000;

  private static TestRedis east;
  private static TestRedis west;
  private static RestitchConfig config;
  private static Map<String, StoreClient> stores;

  private final AtomicLong nanos = new AtomicLong();
  private MockProducer<String, SpecificRecord> kafka;
  private StampedReader reader;

  @BeforeAll
  static void startServers() {
    east = new TestRedis();
    west = new TestRedis();
    config = Configs.of(east.uri(), west.uri());
    stores = StoreClients.openAll(config, "reader-test");
  }

  @AfterAll
  static void stopServers() {
    stores.values().forEach(StoreClient::close);
    east.close();
    west.close();
  }

  @BeforeEach
  void clean() {
    east.commands().flushall();
    west.commands().flushall();
    open(true);
  }

  @AfterEach
  void close() {
    reader.close();
  }

  private void open(boolean acknowledge) {
    if (reader != null) {
      reader.close();
    }
    kafka =
        new MockProducer<>(
            acknowledge,
            null,
            new StringSerializer(),
            new AvroSerializer(new InMemorySchemaRegistry()));
    reader =
        StampedReader.open(
            config, stores, kafka, Clock.fixed(NOW, ZoneOffset.UTC), nanos::get, LARGEST);
  }

  @Test
  void shouldServeEverySideOfAWholeInstanceAndReportNothing() {
    east.commands().set("user:1:profile", "7:t7:pro:file");
    west.commands().set("user:1:settings", "7:t7:set");

    ReadResult result = ok(reader.read("user", "1"));

    assertThat(result.instance()).isEqualTo("user/1");
    assertThat(result.consistency()).isEqualTo(Consistency.WHOLE);
    assertThat(result.side("profile").stamp()).isEqualTo(new Stamp(7L, Bytes.utf8("t7")));
    assertThat(payload(result.side("profile"))).isEqualTo("pro:file");
    assertThat(payload(result.side("settings"))).isEqualTo("set");
    assertThat(result.mostRecent()).contains(result.side("profile"));
    expectCounted(1, 1, 0, 0, 0, 0);
    assertThat(kafka.history()).isEmpty();
  }

  @Test
  void shouldNameTheMostRecentSideOfATornInstanceAndReportBoth() {
    east.commands().set("user:1:profile", "7:t7:new");
    west.commands().set("user:1:settings", "6:t6:old");

    ReadResult result = ok(reader.read("user", "1"));

    assertThat(result.consistency()).isEqualTo(Consistency.MISMATCH);
    assertThat(result.mostRecent()).contains(result.side("profile"));
    assertThat(payload(result.side("settings"))).isEqualTo("old");
    List<ProducerRecord<String, SpecificRecord>> told = told(2);
    assertThat(told).extracting(ProducerRecord::topic).containsOnly("restitch-observations");
    assertThat(told).extracting(ProducerRecord::key).containsOnly("user/1");
    Observation first = (Observation) told.get(0).value();
    assertThat(first.getSource()).isEqualTo(EvidenceSource.READER);
    assertThat(first.getEvent()).isNull();
    assertThat(first.getObservedAtMillis()).isEqualTo(NOW.toEpochMilli());
    Reading reading = first.getReading();
    assertThat(reading.getStore()).isEqualTo("east");
    assertThat(Bytes.copyOf(reading.getKey())).isEqualTo(Bytes.utf8("user:1:profile"));
    assertThat(reading.getState()).isEqualTo(KeyState.STAMPED);
    assertThat(reading.getVersion()).isEqualTo(7);
    assertThat(Bytes.copyOf(reading.getToken())).isEqualTo(Bytes.utf8("t7"));
    assertThat(reading.getPrimary()).isEqualTo(runId(east));
    assertThat(((Observation) told.get(1).value()).getReading().getVersion()).isEqualTo(6);
    expectCounted(1, 0, 1, 0, 1, 0);
  }

  @Test
  void shouldTellAnAbsentSideFromAnEmptyOne() {
    east.commands().set("user:1:profile", "7:t7:x");

    ReadResult absent = ok(reader.read("user", "1"));
    west.commands().set("user:1:settings", "");
    ReadResult empty = ok(reader.read("user", "1"));

    assertThat(absent.side("settings").state()).isEqualTo(SideState.ABSENT);
    assertThat(absent.mostRecent()).contains(absent.side("profile"));
    assertThat(empty.side("settings").state()).isEqualTo(SideState.UNSTAMPED);
    assertThat(payload(empty.side("settings"))).isEmpty();
    assertThat(empty.mostRecent()).isEmpty();
  }

  @Test
  void shouldReportAHotInstanceOnceEachSettleTime() {
    east.commands().set("user:1:profile", "7:t7:x");
    west.commands().set("user:1:settings", "6:t6:x");

    for (int i = 0; i < 100; i++) {
      assertThat(ok(reader.read("user", "1")).consistency()).isEqualTo(Consistency.MISMATCH);
    }
    assertThat(told(2)).hasSize(2);
    expectCounted(100, 0, 100, 0, 1, 99);

    nanos.addAndGet(Duration.ofSeconds(2).toNanos() - 1);
    ok(reader.read("user", "1"));
    expectCounted(101, 0, 101, 0, 1, 100);
    nanos.incrementAndGet();
    ok(reader.read("user", "1"));
    assertThat(told(4)).hasSize(4);
    expectCounted(102, 0, 102, 0, 2, 100);
  }

  @Test
  void shouldNotReportUnequalStampsWhereTransactionsWriteSomeSides() {
    east.commands().set("pay:1:debit", "7:t7:x");
    west.commands().set("pay:1:credit", "6:t6:x");

    ReadResult result = ok(reader.read("pay", "1"));

    assertThat(result.consistency()).isEqualTo(Consistency.UNKNOWN);
    assertThat(result.mostRecent()).contains(result.side("debit"));
    expectCounted(1, 0, 0, 1, 0, 0);
    reader.close();
    assertThat(kafka.history()).isEmpty();
  }

  @Test
  void shouldReadTheStampOfAHashInItsFields() {
    east.commands().hset("card:1:front", Map.of("v", "3", "t", "t3", "name", "Ada"));
    west.commands().set("card:1:back", "3:t3:x");

    ReadResult result = ok(reader.read("card", "1"));

    assertThat(result.consistency()).isEqualTo(Consistency.WHOLE);
    assertThat(result.side("front").stamp()).isEqualTo(new Stamp(3L, Bytes.utf8("t3")));
    assertThat(((SideValue.Fields) result.side("front").value()).fields())
        .containsEntry(Bytes.utf8("name"), Bytes.utf8("Ada"));
  }

  @Test
  void shouldTellTheTokensOfLogsThatDiffer() {
    east.commands().rpush("feed:1:mine", "a:1", "b:2", "c:3");
    Map<String, Double> theirs = new LinkedHashMap<>(Map.of("a:1", 1d, "c:3", 3d));
    theirs.forEach((entry, score) -> west.commands().zadd("feed:1:theirs", score, entry));

    ReadResult result = ok(reader.read("feed", "1"));

    assertThat(result.consistency()).isEqualTo(Consistency.MISMATCH);
    assertThat(result.mostRecent()).contains(result.side("mine"));
    assertThat(((SideValue.Entries) result.side("theirs").value()).entries())
        .containsExactly(
            new SideValue.Entry(Bytes.utf8("a"), Bytes.utf8("1")),
            new SideValue.Entry(Bytes.utf8("c"), Bytes.utf8("3")));
    Reading mine = ((Observation) told(2).get(0).value()).getReading();
    assertThat(mine.getTokens())
        .extracting(Bytes::copyOf)
        .map(Bytes::toString)
        .containsExactly("a", "b", "c");
    assertThat(mine.getToken()).isNull();
  }

  @Test
  void shouldCallAValueOfAnotherTypeUnstamped() {
    east.commands().set("user:1:profile", "7:t7:x");
    west.commands().rpush("user:1:settings", "7:t7:x");

    ReadResult result = ok(reader.read("user", "1"));

    assertThat(result.side("settings").state()).isEqualTo(SideState.UNSTAMPED);
    assertThat(result.side("settings").value()).isNull();
    assertThat(result.side("settings").problem()).contains("another type");
    assertThat(result.consistency()).isEqualTo(Consistency.MISMATCH);
  }

  @Test
  void shouldCompareButNotServeAValueThatIsTooLong() {
    String fits = "7:t7:" + "x".repeat(LARGEST - 5);
    east.commands().set("user:1:profile", fits);
    west.commands().set("user:1:settings", fits + "x");

    ReadResult result = ok(reader.read("user", "1"));

    assertThat(result.consistency()).isEqualTo(Consistency.WHOLE);
    assertThat(payload(result.side("profile"))).hasSize(LARGEST - 5);
    assertThat(result.side("settings").value()).isNull();
    assertThat(result.side("settings").problem()).contains("longer than 1000 bytes");
  }

  @Test
  void shouldNotTakeAStampThatIsLongerThanItsLimit() {
    east.commands().set("user:1:profile", "7:" + "t".repeat(509) + ":x");
    west.commands().set("user:1:settings", "7:" + "t".repeat(510) + ":x");

    ReadResult result = ok(reader.read("user", "1"));

    assertThat(result.side("profile").state()).isEqualTo(SideState.STAMPED);
    assertThat(result.side("settings").state()).isEqualTo(SideState.UNSTAMPED);
  }

  @Test
  void shouldReadKeysOfAnyBytes() {
    Bytes id = Bytes.copyOf(new byte[] {(byte) 0xff, 0, 'x'});

    ReadResult result = ok(reader.read("user", List.of(id)));

    assertThat(result.instance()).isEqualTo("user/%FF%00x");
    assertThat(result.side("profile").key().key().length()).isEqualTo(16);
  }

  @Test
  void shouldReadChosenSidesOnly() {
    east.commands().set("user:1:profile", "7:t7:x");

    ReadResult result = ok(reader.read("user", ids("1"), Set.of("profile")));

    assertThat(result.sides()).extracting(SideRead::side).containsExactly("profile");
    assertThat(result.consistency()).isEqualTo(Consistency.UNKNOWN);
  }

  @Test
  void shouldRefuseWhatIsNotDeclared() {
    assertThatThrownBy(() -> reader.read("nobody", "1")).hasMessageContaining("nobody");
    assertThatThrownBy(() -> reader.read("user", ids("1"), Set.of("profile", "no")))
        .hasMessageContaining("has not all the sides");
    assertThatThrownBy(() -> reader.read("user", "1", "2")).hasMessageContaining("2 ids");
  }

  @Test
  void shouldServeWhatItCanReadWhileAStoreIsAway() {
    TestRedis dying = new TestRedis();
    RestitchConfig other = Configs.of(east.uri(), dying.uri());
    Map<String, StoreClient> open = StoreClients.openAll(other, "reader-test");
    try (StampedReader lone = StampedReader.open(other, open, kafka)) {
      east.commands().set("user:1:profile", "7:t7:x");
      dying.close();

      ReadResult result = ok(lone.read("user", "1"));

      assertThat(result.consistency()).isEqualTo(Consistency.UNKNOWN);
      assertThat(result.mostRecent()).contains(result.side("profile"));
      assertThat(result.side("settings").state()).isEqualTo(SideState.UNREADABLE);
      assertThat(result.side("settings").problem()).isNotBlank();
    } finally {
      open.values().forEach(StoreClient::close);
    }
    assertThat(kafka.history()).isEmpty();
  }

  @Test
  void shouldNotWaitForKafkaAndCountWhatItDidNotTake() {
    open(false);
    east.commands().set("user:1:profile", "7:t7:x");
    west.commands().set("user:1:settings", "6:t6:x");

    assertThat(ok(reader.read("user", "1")).consistency()).isEqualTo(Consistency.MISMATCH);

    told(2);
    assertThat(kafka.errorNext(new TimeoutException("away"))).isTrue();
    assertThat(kafka.errorNext(new TimeoutException("away"))).isTrue();
    assertThat(reader.counters().failed()).isEqualTo(2);
    expectCounted(1, 0, 1, 0, 1, 0);
  }

  @Test
  void shouldDetectWithoutAProducer() {
    east.commands().set("user:1:profile", "7:t7:x");
    try (StampedReader mute = StampedReader.open(config, stores, null)) {
      assertThat(ok(mute.read("user", "1")).consistency()).isEqualTo(Consistency.MISMATCH);
      assertThat(mute.counters()).isEqualTo(new ReaderCounters(1, 0, 1, 0, 0, 1, 0));
    }
  }

  @Test
  void shouldReadWhatTheWriterWrote() {
    try (StampedWriter writer =
        StampedWriter.open(config, stores, kafka, WriterOptions.of("reader-test"))) {
      WriteReport written =
          ok(
              writer.write(
                  WriteRequest.to("user", "9")
                      .put("profile", bytes("a"))
                      .put("settings", bytes("b"))
                      .build()));

      ReadResult result = ok(reader.read("user", "9"));

      assertThat(result.consistency()).isEqualTo(Consistency.WHOLE);
      assertThat(result.side("settings").stamp())
          .isEqualTo(new Stamp(written.version(), written.token()));
    }
  }

  private void expectCounted(
      long reads, long whole, long mismatches, long unknown, long reported, long heldBack) {
    ReaderCounters counted = reader.counters();
    assertThat(counted)
        .isEqualTo(
            new ReaderCounters(
                reads, whole, mismatches, unknown, reported, heldBack, counted.failed()));
  }

  private List<ProducerRecord<String, SpecificRecord>> told(int count) {
    await().until(() -> kafka.history().size() >= count);
    return kafka.history();
  }

  private static String runId(TestRedis redis) {
    return redis
        .commands()
        .info("server")
        .lines()
        .filter(line -> line.startsWith("run_id:"))
        .map(line -> line.substring("run_id:".length()))
        .findFirst()
        .orElseThrow();
  }

  private static String payload(SideRead side) {
    return ((SideValue.Payload) side.value()).bytes().toString();
  }

  private static List<Bytes> ids(String id) {
    return List.of(Bytes.utf8(id));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static <T> T ok(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
  }
}
