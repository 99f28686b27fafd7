package dev.restitch.read;

import static dev.restitch.read.TestRedis.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.restitch.avro.KeyState;
import dev.restitch.avro.Observation;
import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import dev.restitch.model.Bytes;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import dev.restitch.store.StoreException;
import dev.restitch.watch.TestProducer;
import dev.restitch.watch.Watcher;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS with verification, a user with no more rights than are needed, and a map of shards. */
class SecureStoresIT {

  /** What watcher and prober need. A server compares channel patterns letter for letter. */
  private static final List<String> RIGHTS =
      List.of(
          "reset",
          "on",
          ">right-one",
          "~*",
          "resetchannels",
          "&__keyspace@2__:user:*",
          "&__keyspace@2__:log:*",
          "&__keyspace@2__:form:*",
          "-@all",
          "+@connection",
          "+@read",
          "+psubscribe",
          "+info",
          "+config|get",
          "+eval_ro");

  @TempDir private static Path folder;
  private static TestCertificate certificate;
  private static TestRedis redis;
  private static int tlsPort;

  @BeforeAll
  static void open() throws Exception {
    certificate = TestCertificate.of(folder, "ip:127.0.0.1,dns:watched.test");
    tlsPort = TestRedis.freePort();
    redis = TestRedis.tls(tlsPort, certificate);
    CommandArgs<byte[], byte[]> args =
        new CommandArgs<>(ByteArrayCodec.INSTANCE).add("SETUSER").add("app");
    RIGHTS.forEach(args::add);
    redis.commands().dispatch(CommandType.ACL, new StatusOutput<>(ByteArrayCodec.INSTANCE), args);
  }

  @AfterAll
  static void close() {
    redis.close();
  }

  private static RestitchConfig config(String host, String more) {
    return ConfigLoader.parse(
        """
        kafka: { bootstrap.servers: "localhost:1" }
        registry: { url: "http://localhost:1" }
        stores:
          east: { uri: "rediss://%s:%d/2", username: app, password: { env: APP_PASSWORD }, %s }
        relations:
          user:
            sides:
              profile: { store: east, key: "user:{id}" }
              form: { store: east, key: "form:{id}", type: hash, fields: { version: v, token: t } }
            stamp: "{version}:{token}:{payload}"
            version: { order: counter }
          log:
            sides: { log: { store: east, key: "log:{id}", type: list } }
            stamp: "{token}:{payload}"
        """
            .formatted(host, tlsPort, more),
        Map.of("APP_PASSWORD", "right-one"));
  }

  private static String trusting() {
    return "tls: { truststore: \"" + certificate.chain() + "\" }";
  }

  @Test
  void shouldWatchOverVerifiedTlsAsAUserWithFewRights() {
    RestitchConfig config = config("127.0.0.1", trusting());
    TestProducer producer = new TestProducer();
    Map<String, StoreClient> stores = StoreClients.openAll(config, "restitch-tls");
    try (Watcher watcher = new Watcher(config, stores, producer.mock(), "test")) {
      watcher.start();
      await().until(watcher::subscribed);
      redis.commands().select(2);
      redis.set("user:1", "7:t1:x");
      redis.commands().rpush(bytes("log:1"), bytes("7:t1:x"));
      redis
          .commands()
          .hset(bytes("form:1"), Map.of(bytes("v"), bytes("7"), bytes("t"), bytes("t1")));

      await()
          .untilAsserted(
              () ->
                  assertThat(producer.values("restitch-observations", Observation.class))
                      .hasSize(3)
                      .allMatch(o -> o.getReading().getState() == KeyState.STAMPED));
      assertThat(redis.commands().clientList()).contains("name=restitch-tls").contains("user=app");
    } finally {
      stores.values().forEach(StoreClient::close);
    }
  }

  @Test
  void shouldRefuseACertificateThatNobodyVouchesFor() {
    assertThatThrownBy(
            () -> StoreClients.openAll(config("127.0.0.1", "tls: { verify-peer: true }"), "x"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("store 'east' at 127.0.0.1:" + tlsPort)
        .hasMessageNotContaining("right-one");
  }

  @Test
  void shouldRefuseACertificateOfAnotherHost() throws Exception {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    TestCertificate other = TestCertificate.of(elsewhere, "dns:other.test");
    int port = TestRedis.freePort();
    try (TestRedis wrong = TestRedis.tls(port, other)) {
      String uri = "rediss://127.0.0.1:" + port;
      assertThatThrownBy(() -> StoreClients.openAll(onlyEast(uri, other, true), "x"))
          .isInstanceOf(StoreException.class);
      Map<String, StoreClient> unverified =
          StoreClients.openAll(onlyEast(uri, other, false), "restitch-unverified");
      assertThat(wrong.commands().clientList()).contains("name=restitch-unverified");
      unverified.values().forEach(StoreClient::close);
    }
  }

  private static RestitchConfig onlyEast(String uri, TestCertificate trusted, boolean verify) {
    return ConfigLoader.parse(
        """
        kafka: { bootstrap.servers: "localhost:1" }
        registry: { url: "http://localhost:1" }
        stores: { east: { uri: "%s", tls: { truststore: "%s", verify-peer: %s } } }
        relations: { user: { sides: { a: { store: east, key: "user:{id}" } }, stamp: "{token}:{payload}" } }
        """
            .formatted(uri, trusted.chain(), verify),
        Map.of());
  }

  @Test
  void shouldFindKeysWhereTheMapOfShardsSays() {
    try (TestRedis other = TestRedis.primary()) {
      RestitchConfig config =
          TestStores.config(
              TestStores.one(redis),
              "{ uris: [\"%s\", \"%s\"], sharding: { \"user:1*\": 1, \"*\": 0 } }"
                  .formatted(redis.uri(), other.uri()));
      Map<String, StoreClient> stores = StoreClients.openAll(config, "x");
      StoreClient west = stores.get("west");
      assertThat(west.nodeOf(Bytes.utf8("user:17:settings")).id()).isEqualTo(other.address());
      assertThat(west.nodeOf(Bytes.utf8("user:2:settings")).id()).isEqualTo(redis.address());
      stores.values().forEach(StoreClient::close);
    }
  }
}
