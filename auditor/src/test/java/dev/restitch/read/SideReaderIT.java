package dev.restitch.read;

import static dev.restitch.read.TestRedis.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.restitch.avro.KeyState;
import dev.restitch.avro.Reading;
import dev.restitch.config.Relations.Side;
import dev.restitch.config.RestitchConfig;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import dev.restitch.store.StoreNode;
import dev.restitch.store.StorePipeline;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.SetArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SideReaderIT {

  private static final long NOW = 1_000_000;

  private static TestRedis east;
  private static TestRedis west0;
  private static TestRedis west1;
  private static RestitchConfig config;
  private static Map<String, StoreClient> stores;
  private static SideReader reader;

  @BeforeAll
  static void open() {
    east = TestRedis.primary();
    west0 = TestRedis.primary();
    west1 = TestRedis.primary();
    config = TestStores.config(TestStores.one(east), TestStores.shards(west0, west1));
    stores = StoreClients.openAll(config, "test");
    reader = new SideReader(stores, Clock.fixed(Instant.ofEpochMilli(NOW), ZoneOffset.UTC));
    await()
        .until(
            () ->
                stores.values().stream()
                    .flatMap(store -> store.primaries().stream())
                    .allMatch(node -> node.runId().isPresent()));
  }

  @AfterAll
  static void close() {
    stores.values().forEach(StoreClient::close);
    east.close();
    west0.close();
    west1.close();
  }

  @BeforeEach
  void empty() {
    east.commands().flushall();
    west0.commands().flushall();
    west1.commands().flushall();
  }

  private static Reading read(String store, String key) throws Exception {
    return read(store, Bytes.utf8(key));
  }

  private static Reading read(String store, Bytes key) throws Exception {
    return reader
        .read(config.resolver().resolve(store, key).orElseThrow())
        .get(5, TimeUnit.SECONDS);
  }

  @Test
  void shouldReadStampLengthExpiryAndPrimary() throws Exception {
    east.commands()
        .set(bytes("user:1:profile"), bytes("7:t1:pay:load"), SetArgs.Builder.px(60_000));

    Reading reading = read("east", "user:1:profile");

    assertThat(reading.getState()).isEqualTo(KeyState.STAMPED);
    assertThat(reading.getVersion()).isEqualTo(7);
    assertThat(Bytes.copyOf(reading.getToken())).isEqualTo(Bytes.utf8("t1"));
    assertThat(reading.getLength()).isEqualTo(13);
    assertThat(reading.getExpiresAtMillis()).isBetween(NOW + 55_000, NOW + 60_000);
    assertThat(east.commands().info("server")).contains(reading.getPrimary());
    assertThat(reading.getDigest()).isNull();
  }

  @Test
  void shouldTellAbsentFromEmpty() throws Exception {
    east.set("user:2:profile", "");

    assertThat(read("east", "user:1:profile").getState()).isEqualTo(KeyState.ABSENT);
    Reading empty = read("east", "user:2:profile");
    assertThat(empty.getState()).isEqualTo(KeyState.UNSTAMPED);
    assertThat(empty.getLength()).isZero();
  }

  @Test
  void shouldReadAForeignValueAsUnstampedWithItsDigest() throws Exception {
    east.set("user:1:profile", "no stamp here");

    Reading reading = read("east", "user:1:profile");

    assertThat(reading.getState()).isEqualTo(KeyState.UNSTAMPED);
    assertThat(Bytes.copyOf(reading.getDigest()))
        .isEqualTo(StringLook.sha256(bytes("no stamp here"), 0));
  }

  @Test
  void shouldReadAForeignTypeAsUnstamped() throws Exception {
    east.commands().rpush(bytes("user:1:profile"), bytes("7:t1:x"));

    assertThat(read("east", "user:1:profile").getState()).isEqualTo(KeyState.UNSTAMPED);
  }

  @Test
  void shouldKeepTokensThatAreNotText() throws Exception {
    byte[] value = {'7', ':', (byte) 0xff, 0, (byte) 0xc3, ':', 'p'};
    Bytes key =
        Bytes.copyOf(
            new byte[] {
              'u', 's', 'e', 'r', ':', (byte) 0xfe, ':', 'p', 'r', 'o', 'f', 'i', 'l', 'e'
            });
    east.commands().set(key.toArray(), value);

    Reading reading = read("east", key);

    assertThat(Bytes.copyOf(reading.getToken())).isEqualTo(Bytes.copyOf(value, 2, 3));
    assertThat(Bytes.copyOf(reading.getKey())).isEqualTo(key);
  }

  @Test
  void shouldReadOnlyTheBeginningOfALongValue() throws Exception {
    byte[] value = new byte[5_000_000];
    System.arraycopy(bytes("7:t1:"), 0, value, 0, 5);
    east.commands().set(bytes("user:1:profile"), value);
    long before = sent(east);

    Reading reading = read("east", "user:1:profile");

    assertThat(reading.getState()).isEqualTo(KeyState.STAMPED);
    assertThat(reading.getLength()).isEqualTo(5_000_000);
    assertThat(sent(east) - before).isLessThan(20_000);
  }

  @Test
  void shouldNotDigestAForeignValueThatIsLong() throws Exception {
    east.commands().set(bytes("user:1:profile"), new byte[5_000_000]);

    Reading reading = read("east", "user:1:profile");

    assertThat(reading.getState()).isEqualTo(KeyState.UNSTAMPED);
    assertThat(reading.getDigest()).isNull();
    assertThat(reading.getLength()).isEqualTo(5_000_000);
  }

  @Test
  void shouldDigestThePayloadWhereTheStampIsOnlyAVersion() throws Exception {
    String payload = "x".repeat(2_000);
    east.set("plain:1", "7:" + payload);
    east.set("plain:2", "7:short");

    assertThat(Bytes.copyOf(read("east", "plain:1").getDigest()))
        .isEqualTo(StringLook.sha256(bytes(payload), 0));
    Reading shorter = read("east", "plain:2");
    assertThat(Bytes.copyOf(shorter.getDigest())).isEqualTo(StringLook.sha256(bytes("short"), 0));
    assertThat(shorter.getToken()).isNull();
  }

  @Test
  void shouldTakeAStampLongerThanItsLimitForUnstamped() throws Exception {
    east.set("user:1:profile", "7:" + "t".repeat(600) + ":x");

    assertThat(read("east", "user:1:profile").getState()).isEqualTo(KeyState.UNSTAMPED);
  }

  @Test
  void shouldReadTheStampOfAHash() throws Exception {
    east.commands().hset(bytes("form:1"), bytes("v"), bytes("7"));
    east.commands().hset(bytes("form:1"), bytes("t"), bytes("t1"));
    east.commands().hset(bytes("form:1"), bytes("other"), bytes("x"));
    east.commands().hset(bytes("form:2"), bytes("other"), bytes("x"));

    Reading reading = read("east", "form:1");
    assertThat(reading.getVersion()).isEqualTo(7);
    assertThat(Bytes.copyOf(reading.getToken())).isEqualTo(Bytes.utf8("t1"));
    assertThat(read("east", "form:2").getState()).isEqualTo(KeyState.UNSTAMPED);
    assertThat(read("east", "form:3").getState()).isEqualTo(KeyState.ABSENT);
  }

  @Test
  void shouldReadTheTailOfLogs() throws Exception {
    for (int i = 0; i < 70; i++) {
      east.commands().rpush(bytes("log:1:left"), bytes("t" + i + ":p"));
    }
    west(Bytes.utf8("log:1:right")).commands().zadd(bytes("log:1:right"), 2, bytes("t2:p"));
    west(Bytes.utf8("log:1:right")).commands().zadd(bytes("log:1:right"), 1, bytes("t1:p"));

    Reading left = read("east", "log:1:left");
    assertThat(left.getTokens()).hasSize(64).last().isEqualTo(Bytes.utf8("t69").toBuffer());
    assertThat(left.getLength()).isEqualTo(70);
    assertThat(read("west", "log:1:right").getTokens())
        .containsExactly(Bytes.utf8("t1").toBuffer(), Bytes.utf8("t2").toBuffer());
    assertThat(read("east", "log:2:left").getState()).isEqualTo(KeyState.ABSENT);
  }

  @Test
  void shouldNotReadLongFieldsOfAHash() throws Exception {
    east.commands().hset(bytes("form:1"), bytes("v"), new byte[8_000_000]);
    east.commands().hset(bytes("form:1"), bytes("t"), bytes("t1"));
    east.commands().hset(bytes("form:2"), bytes("v"), bytes("7"));
    east.commands().hset(bytes("form:2"), bytes("t"), new byte[8_000_000]);
    long before = sent(east);

    assertThat(read("east", "form:1").getState()).isEqualTo(KeyState.UNSTAMPED);
    assertThat(read("east", "form:2").getState()).isEqualTo(KeyState.UNSTAMPED);
    assertThat(sent(east) - before).isLessThan(20_000);
  }

  @Test
  void shouldReadOnlyTheBeginningOfLongEntriesOfLogs() throws Exception {
    byte[] entry = new byte[8_000_000];
    System.arraycopy(bytes("t1:"), 0, entry, 0, 3);
    TestRedis right = west(Bytes.utf8("log:1:right"));
    east.commands().rpush(bytes("log:1:left"), entry, bytes("t2:p"));
    right.commands().zadd(bytes("log:1:right"), 1, entry);
    long before = sent(east) + sent(right);

    assertThat(read("east", "log:1:left").getTokens())
        .containsExactly(Bytes.utf8("t1").toBuffer(), Bytes.utf8("t2").toBuffer());
    assertThat(read("west", "log:1:right").getTokens())
        .containsExactly(Bytes.utf8("t1").toBuffer());
    assertThat(sent(east) + sent(right) - before).isLessThan(30_000);
  }

  @Test
  void shouldReadLogsOfAServerThatRunsNoScripts() throws Exception {
    east.commands().rpush(bytes("log:1:left"), bytes("t1:p"));
    east.commands()
        .aclSetuser("default", AclSetuserArgs.Builder.removeCommand(CommandType.EVAL_RO));
    try {
      assertThat(read("east", "log:1:left").getTokens())
          .containsExactly(Bytes.utf8("t1").toBuffer());
      assertThat(read("east", "log:2:left").getState()).isEqualTo(KeyState.ABSENT);
    } finally {
      east.commands().aclSetuser("default", AclSetuserArgs.Builder.allCommands());
      reader = new SideReader(stores, Clock.fixed(Instant.ofEpochMilli(NOW), ZoneOffset.UTC));
    }
  }

  @Test
  void shouldReadAForeignTypeUnderEveryKindOfSideAsUnstamped() throws Exception {
    east.set("form:1", "x");
    east.set("log:1:left", "x");
    west(Bytes.utf8("log:1:right")).set("log:1:right", "x");

    assertThat(read("east", "form:1").getState()).isEqualTo(KeyState.UNSTAMPED);
    assertThat(read("east", "log:1:left").getState()).isEqualTo(KeyState.UNSTAMPED);
    assertThat(read("west", "log:1:right").getState()).isEqualTo(KeyState.UNSTAMPED);
  }

  @Test
  void shouldHoldWhatIsAskedFirstBackUntilThePipelineIsFlushed() throws Exception {
    for (int i = 0; i < 100; i++) {
      east.set("user:" + i + ":profile", i + ":t:x");
      east.set("plain:" + i, i + ":" + "x".repeat(1_000));
    }
    StoreNode node = stores.get("east").primaries().get(0);
    try (StorePipeline pipeline = node.openPipeline()) {
      await().until(() -> pipeline.runId().isPresent());
      List<CompletableFuture<Reading>> readings = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        for (String key : List.of("user:" + i + ":profile", "plain:" + i)) {
          Side side = config.resolver().resolve("east", Bytes.utf8(key)).orElseThrow();
          readings.add(reader.read(side, node, pipeline));
        }
      }
      assertThat(readings).noneMatch(CompletableFuture::isDone);

      pipeline.flush();

      for (int i = 0; i < 200; i++) {
        Reading reading = readings.get(i).get(5, TimeUnit.SECONDS);
        assertThat(reading.getVersion()).isEqualTo(i / 2);
        assertThat(reading.getPrimary()).isEqualTo(pipeline.runId().orElseThrow());
      }
    }
  }

  private static TestRedis west(Bytes key) {
    return stores.get("west").nodeOf(key).id().equals(west0.address()) ? west0 : west1;
  }

  @Test
  void shouldReadMarkers() throws Exception {
    StoreKey marker = new StoreKey("east", Bytes.utf8("txn:t1:committed"));
    assertThat(reader.readMarker(marker).get().getState()).isEqualTo(KeyState.ABSENT);

    east.commands().set(bytes("txn:t1:committed"), bytes("1"), SetArgs.Builder.px(60_000));

    Reading reading = reader.readMarker(marker).get();
    assertThat(reading.getState()).isEqualTo(KeyState.PRESENT);
    assertThat(reading.getExpiresAtMillis()).isBetween(NOW + 55_000, NOW + 60_000);
  }

  @Test
  void shouldFindEachKeyOnTheShardOfItsCrc() throws Exception {
    for (int i = 0; i < 50; i++) {
      String key = "user:" + i + ":settings";
      long shard = crc32(key) % 2;
      (shard == 0 ? west0 : west1).set(key, i + ":t:x");

      assertThat(read("west", key).getVersion()).isEqualTo(i);
    }
  }

  @Test
  void shouldSayUnreadableOfAStoreThatIsNotConfigured() throws Exception {
    StoreKey nowhere = new StoreKey("south", Bytes.utf8("k"));

    assertThat(reader.readMarker(nowhere).get().getState()).isEqualTo(KeyState.UNREADABLE);
  }

  private static long crc32(String key) {
    java.util.zip.CRC32 crc = new java.util.zip.CRC32();
    crc.update(bytes(key));
    return crc.getValue();
  }

  private static long sent(TestRedis redis) {
    return redis
        .commands()
        .info("stats")
        .lines()
        .filter(line -> line.startsWith("total_net_output_bytes:"))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).trim()))
        .findFirst()
        .orElseThrow();
  }
}
