package dev.restitch.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.restitch.avro.Done;
import dev.restitch.avro.Intent;
import dev.restitch.avro.ResultKind;
import dev.restitch.avro.WriteOp;
import dev.restitch.config.RestitchConfig;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.registry.InMemorySchemaRegistry;
import dev.restitch.serde.AvroSerializer;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StampedWriterIT {

  private static TestRedis east;
  private static TestRedis west;
  private static RestitchConfig config;
  private static Map<String, StoreClient> stores;

  private MockProducer<String, SpecificRecord> kafka;

  @BeforeAll
  static void startServers() {
    east = new TestRedis();
    west = new TestRedis();
    config = Configs.of(east.uri(), west.uri());
    stores = StoreClients.openAll(config, "writer-test");
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
    kafka = producer(true);
  }

  @Test
  void shouldWriteEverySideWithOneStamp() {
    WriteReport report = ok(writer().write(user("1", "a", "b")));

    String stamp = report.version() + ":" + report.token() + ":";
    assertThat(report.complete()).isTrue();
    assertThat(report.version()).isEqualTo(1);
    assertThat(east.commands().get("user:1:profile")).isEqualTo(stamp + "a");
    assertThat(west.commands().get("user:1:settings")).isEqualTo(stamp + "b");
    assertThat(report.token().toString()).matches("[0-9a-f]{32}");
  }

  @Test
  void shouldWaitForTheIntentBeforeTheFirstWrite() {
    kafka = producer(false);

    CompletionStage<WriteReport> write = writer().write(user("1", "a", "b"));

    await().until(() -> kafka.history().size() == 1);
    assertThat(east.commands().exists("user:1:profile")).isZero();
    assertThat(west.commands().exists("user:1:settings")).isZero();
    assertThat(write.toCompletableFuture()).isNotDone();
    assertThat(kafka.completeNext()).isTrue();
    assertThat(ok(write).complete()).isTrue();
  }

  @Test
  void shouldWriteNothingWithoutTheIntent() {
    kafka = producer(false);

    CompletionStage<WriteReport> write = writer().write(user("1", "a", "b"));
    await().until(() -> kafka.history().size() == 1);
    assertThat(kafka.errorNext(new TimeoutException("away"))).isTrue();

    assertThatThrownBy(() -> ok(write)).hasRootCauseMessage("away");
    assertThat(east.commands().exists("user:1:profile")).isZero();
  }

  @Test
  void shouldNotWaitForTheIntentBeside() {
    kafka = producer(false);

    WriteReport report =
        ok(writer(options().withIntents(IntentMode.BESIDE)).write(user("1", "a", "b")));

    assertThat(report.complete()).isTrue();
  }

  @Test
  void shouldTellEveryInstanceOfTheWholeWriteSetInItsOwnStamp() {
    WriteReport report =
        ok(
            writer(options().withInlinePayloads(true))
                .write(
                    WriteRequest.to("pay", "1")
                        .put("debit", bytes("less"), Expiry.after(Duration.ofMinutes(1)))
                        .to("doc", "2")
                        .put("body", bytes("x"))
                        .delete("index")
                        .traceparent("00-1-2-03")
                        .build()));

    await().until(() -> kafka.history().size() == 4);
    Intent pay = intent(0);
    Intent doc = intent(1);
    assertThat(kafka.history().get(0).key()).isEqualTo("pay/1");
    assertThat(kafka.history().get(1).key()).isEqualTo("doc/2");
    assertThat(kafka.history()).extracting(ProducerRecord::topic).containsOnly("restitch-intents");
    assertThat(pay.getVersion()).isEqualTo(report.version());
    assertThat(doc.getVersion()).isNull();
    assertThat(pay.getToken()).isEqualTo(report.token().toBuffer());
    assertThat(pay.getWrites()).isEqualTo(doc.getWrites()).hasSize(3);
    assertThat(pay.getWrites().get(0).getTtlMillis()).isEqualTo(60_000);
    assertThat(pay.getWrites().get(0).getPayload()).isEqualTo(Bytes.utf8("less").toBuffer());
    assertThat(pay.getWrites().get(0).getDigest())
        .isEqualTo(Digests.sha256(bytes("less")).toBuffer());
    assertThat(pay.getWrites().get(2).getOp()).isEqualTo(WriteOp.DELETE);
    assertThat(pay.getMarker().getTtlMillis()).isEqualTo(3_600_000);
    assertThat(doc.getMarker()).isNull();
    assertThat(pay.getWriter().getApplication()).isEqualTo("test");
    assertThat(pay.getWriter().getTraceparent()).isEqualTo("00-1-2-03");
    Done done = (Done) kafka.history().get(2).value();
    assertThat(done.getResults()).extracting(r -> r.getResult()).containsOnly(ResultKind.OK);
    assertThat(done.getMarker()).isEqualTo(ResultKind.OK);
    assertThat(east.commands().pttl("txn:" + report.token() + ":committed"))
        .isBetween(3_500_000L, 3_600_000L);
    assertThat(east.commands().pttl("pay:1:debit")).isBetween(50_000L, 60_000L);
  }

  @Test
  void shouldNotMarkWhatDidNotStand() {
    west.commands().rpush("pay:1:credit", "a list");

    WriteReport report =
        ok(
            writer(options().withFenced(true))
                .write(
                    WriteRequest.to("pay", "1")
                        .put("debit", bytes("a"))
                        .put("credit", bytes("b"))
                        .build()));

    assertThat(report.complete()).isFalse();
    assertThat(report.sides().get(key("west", "pay:1:credit")).status())
        .isEqualTo(WriteStatus.FAILED);
    assertThat(east.commands().exists("txn:" + report.token() + ":committed")).isZero();
    await().until(() -> kafka.history().size() == 2);
    Done done = (Done) kafka.history().get(1).value();
    assertThat(done.getResults())
        .extracting(r -> r.getResult())
        .containsExactly(ResultKind.OK, ResultKind.FAILED);
    assertThat(done.getMarker()).isNull();
  }

  @Test
  void shouldNotCommitWhatAnotherHasDecidedAgainst() {
    Transaction transaction =
        ok(writer().begin(WriteRequest.to("pay", "1").put("debit", bytes("a")).build()));
    east.commands().set("txn:" + transaction.token() + ":committed", "0");

    Map<StoreKey, KeyResult> marked = ok(transaction.writeMarkers());

    assertThat(marked.values()).extracting(KeyResult::status).containsExactly(WriteStatus.FAILED);
  }

  @Test
  void shouldRefuseAnOlderWriteBehindTheFence() {
    StampedWriter writer = writer(options().withFenced(true));
    Transaction older = ok(writer.begin(user("1", "old", "old")));
    WriteReport newer = ok(writer.write(user("1", "new", "new")));

    Map<StoreKey, KeyResult> late = ok(older.writeAll());

    assertThat(late.values()).extracting(KeyResult::status).containsOnly(WriteStatus.SUPERSEDED);
    assertThat(east.commands().get("user:1:profile"))
        .isEqualTo(newer.version() + ":" + newer.token() + ":new");
    ok(older.publishDone());
    Done done = (Done) kafka.history().get(kafka.history().size() - 1).value();
    assertThat(done.getResults()).extracting(r -> r.getResult()).containsOnly(ResultKind.OK);
  }

  @Test
  void shouldLetALatePlainWriteOverwrite() {
    StampedWriter writer = writer();
    Transaction older = ok(writer.begin(user("1", "old", "old")));
    ok(writer.write(user("1", "new", "new")));

    KeyResult late = ok(older.write(key("west", "user:1:settings")));

    assertThat(late.status()).isEqualTo(WriteStatus.WRITTEN);
    assertThat(west.commands().get("user:1:settings")).startsWith("1:").endsWith(":old");
    assertThat(east.commands().get("user:1:profile")).startsWith("2:").endsWith(":new");
  }

  @Test
  void shouldCompareVersionsExactlyBeyondWhatANumberHolds() {
    StampedWriter writer = writer(options().withFenced(true));
    east.commands().set("user:1:version", "9007199254740992");
    east.commands().set("user:1:profile", "9007199254740992:t:x");
    west.commands().set("user:1:settings", "9007199254740994:t:x");

    WriteReport report = ok(writer.write(user("1", "a", "b")));

    assertThat(report.version()).isEqualTo(9007199254740993L);
    assertThat(report.sides().get(key("east", "user:1:profile")).status())
        .isEqualTo(WriteStatus.WRITTEN);
    assertThat(report.sides().get(key("west", "user:1:settings")).status())
        .isEqualTo(WriteStatus.SUPERSEDED);
  }

  @Test
  void shouldNeverWriteOverTheGreatestVersion() {
    west.commands().set("user:1:settings", Long.MAX_VALUE + ":t:x");
    east.commands().set("user:1:profile", "9223372036854775808:t:not a version");

    WriteReport report = ok(writer(options().withFenced(true)).write(user("1", "a", "b")));

    assertThat(report.sides().get(key("west", "user:1:settings")).status())
        .isEqualTo(WriteStatus.SUPERSEDED);
    assertThat(report.sides().get(key("east", "user:1:profile")).status())
        .isEqualTo(WriteStatus.WRITTEN);
  }

  @Test
  void shouldWriteOverWhatCarriesNoStampOfTheTemplate() {
    StampedWriter writer = writer(options().withFenced(true));
    for (String foreign : List.of("", "hello", "99", "99:", "099:t:x", ":t:x", "99::x", "-9:t:x")) {
      east.commands().set("user:1:profile", foreign);

      WriteReport report = ok(writer.write(user("1", "a", "b")));

      assertThat(report.complete()).isTrue();
      assertThat(report.sides().get(key("east", "user:1:profile")).status())
          .as("over '%s'", foreign)
          .isEqualTo(WriteStatus.WRITTEN);
    }
  }

  @Test
  void shouldFenceStampsWithALeadAndWithoutAToken() {
    StampedWriter writer = writer(options().withFenced(true));
    Transaction older =
        ok(writer.begin(WriteRequest.to("lone", "1").put("it", bytes("o")).build()));
    ok(writer.write(WriteRequest.to("lone", "1").put("it", bytes("n")).build()));

    assertThat(ok(older.writeAll()).values())
        .extracting(KeyResult::status)
        .containsExactly(WriteStatus.SUPERSEDED);
    assertThat(east.commands().get("lone:1")).isEqualTo("v2;n");
  }

  @Test
  void shouldEndWithTheHighestVersionOnEverySideWhateverTheOrder() {
    StampedWriter writer = writer(options().withFenced(true));
    List<Transaction> transactions = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      transactions.add(ok(writer.begin(user("1", "p" + i, "s" + i))));
    }
    Collections.shuffle(transactions, new Random(7));

    List<CompletableFuture<?>> writes = new ArrayList<>();
    transactions.forEach(t -> writes.add(t.writeAll().toCompletableFuture()));
    CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new)).join();

    assertThat(east.commands().get("user:1:profile")).startsWith("200:").endsWith(":p199");
    assertThat(west.commands().get("user:1:settings")).startsWith("200:").endsWith(":s199");
  }

  @Test
  void shouldDeleteBehindTheFenceOnlyWhatIsOlder() {
    StampedWriter writer = writer(options().withFenced(true));
    Transaction older =
        ok(writer.begin(WriteRequest.to("pay", "1").delete("debit").delete("credit").build()));
    ok(writer.write(WriteRequest.to("pay", "1").put("debit", bytes("n")).build()));
    west.commands().set("pay:1:credit", "0:t:x");

    Map<StoreKey, KeyResult> deleted = ok(older.writeAll());

    assertThat(deleted.get(key("east", "pay:1:debit")).status()).isEqualTo(WriteStatus.SUPERSEDED);
    assertThat(deleted.get(key("west", "pay:1:credit")).status()).isEqualTo(WriteStatus.WRITTEN);
    assertThat(west.commands().exists("pay:1:credit")).isZero();
  }

  @Test
  void shouldKeepTheTimeToLiveWhereAsked() {
    for (boolean fenced : List.of(false, true)) {
      StampedWriter writer = writer(options().withFenced(fenced));
      ok(
          writer.write(
              WriteRequest.to("pay", "1")
                  .put("debit", bytes("a"), Expiry.after(Duration.ofMinutes(1)))
                  .put("credit", bytes("a"), Expiry.after(Duration.ofMinutes(1)))
                  .build()));
      ok(
          writer.write(
              WriteRequest.to("pay", "1")
                  .put("debit", bytes("b"), Expiry.KEEP)
                  .put("credit", bytes("b"))
                  .build()));

      assertThat(east.commands().pttl("pay:1:debit")).isBetween(50_000L, 60_000L);
      assertThat(west.commands().pttl("pay:1:credit")).isEqualTo(-1);
    }
  }

  @Test
  void shouldGoOnAfterTheScriptsAreFlushed() {
    StampedWriter writer = writer(options().withFenced(true));
    ok(writer.write(user("1", "a", "b")));
    east.commands().scriptFlush();
    west.commands().scriptFlush();

    assertThat(ok(writer.write(user("1", "c", "d"))).complete()).isTrue();
    assertThat(east.commands().get("user:1:profile")).endsWith(":c");
  }

  @Test
  void shouldMintOneVersionForSeveralCountersAndNeverTheSameTwice() {
    StampedWriter writer = writer();
    west.commands().set("pay:1:version", "40");
    List<CompletableFuture<Transaction>> begun = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String one = i % 2 == 0 ? "1" : "2";
      String other = i % 2 == 0 ? "2" : "1";
      begun.add(
          writer
              .begin(
                  WriteRequest.to("pay", one)
                      .put("debit", bytes("a"))
                      .to("pay", other)
                      .put("credit", bytes("b"))
                      .build())
              .toCompletableFuture());
    }

    Set<Long> versions = new HashSet<>();
    begun.forEach(transaction -> versions.add(transaction.join().version()));

    assertThat(versions).hasSize(100).allMatch(v -> v > 40);
  }

  @Test
  void shouldMintAboveAFloorInOneStep() {
    VersionMint mint = new VersionMint(stores);
    StoreKey counter = key("east", "user:1:version");

    assertThat(ok(mint.above(counter, 9007199254740992L))).isEqualTo(9007199254740993L);
    assertThat(ok(mint.above(counter, 5))).isEqualTo(9007199254740994L);
    assertThat(ok(mint.next(counter))).isEqualTo(9007199254740995L);
    assertThatThrownBy(() -> mint.above(counter, Long.MAX_VALUE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private StampedWriter writer() {
    return writer(options());
  }

  private StampedWriter writer(WriterOptions options) {
    return StampedWriter.open(config, stores, kafka, options);
  }

  private static WriterOptions options() {
    return WriterOptions.of("test");
  }

  private static WriteRequest user(String id, String profile, String settings) {
    return WriteRequest.to("user", id)
        .put("profile", bytes(profile))
        .put("settings", bytes(settings))
        .build();
  }

  private Intent intent(int index) {
    return (Intent) kafka.history().get(index).value();
  }

  private static StoreKey key(String store, String key) {
    return new StoreKey(store, Bytes.utf8(key));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static MockProducer<String, SpecificRecord> producer(boolean acknowledging) {
    return new MockProducer<>(
        acknowledging,
        null,
        new StringSerializer(),
        new AvroSerializer(new InMemorySchemaRegistry()));
  }

  private static <T> T ok(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
  }
}
