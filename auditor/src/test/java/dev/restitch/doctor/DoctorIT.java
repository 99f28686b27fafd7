package dev.restitch.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import dev.restitch.read.TestRedis;
import dev.restitch.read.TestStores;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Stores only; Kafka and the registry are examined where they can be started. */
class DoctorIT {

  private static TestRedis good;

  @BeforeAll
  static void startServer() {
    good = TestRedis.primary();
  }

  @AfterAll
  static void stopServer() {
    good.close();
  }

  @Test
  void shouldFindNothingWrongWithAServerThatTellsItsKeyEvents() {
    List<Finding> findings = examine(TestStores.one(good), null);

    assertThat(findings).isNotEmpty().allMatch(f -> f.severity() == Severity.OK);
    assertThat(findings)
        .extracting(Finding::check)
        .contains(
            "role", "notifications", "subscription", "rights", "eviction", "replication", "clock")
        .contains("client-output-buffer-limit");
  }

  @Test
  void shouldSayHowToSwitchNotificationsOnAndChangeNothing() {
    try (TestRedis silent = TestRedis.silent()) {
      Finding found = one(examine(TestStores.one(silent), null), "notifications");

      assertThat(found.severity()).isEqualTo(Severity.ERROR);
      assertThat(found.what()).contains("blind");
      assertThat(found.mend())
          .isEqualTo(
              "redis-cli -h 127.0.0.1 -p "
                  + silent.port()
                  + " CONFIG SET notify-keyspace-events 'Kg$xelh'");
      assertThat(flags(silent)).isEmpty();
    }
  }

  @Test
  void shouldAddMissingFlagsOnlyWithLeaveAndKeepThoseOfOthers() {
    try (TestRedis silent = TestRedis.silent()) {
      silent.commands().configSet("notify-keyspace-events", "Et");

      Finding found =
          one(examine(TestStores.one(silent), new Treatment("ann", "test")), "notifications");

      assertThat(found.severity()).isEqualTo(Severity.OK);
      assertThat(found.changed()).startsWith("CONFIG SET notify-keyspace-events");
      assertThat(flags(silent)).contains("K", "E", "t", "$", "x", "e", "g", "l", "h");
    }
  }

  @Test
  void shouldNameTheRightsThatAUserLacksByDryRun() {
    good.commands()
        .aclSetuser(
            "narrow",
            AclSetuserArgs.Builder.on()
                .addPassword("secret")
                .keyPattern("user:*")
                .addCommand(CommandType.INFO)
                .addCommand(CommandType.TIME)
                .addCommand(CommandType.PTTL)
                .addCommand(CommandType.GETRANGE)
                .addCommand(CommandType.ACL));

    List<Finding> findings = examine(as("narrow"), null);

    Finding rights = one(findings, "rights");
    assertThat(rights.severity()).isEqualTo(Severity.ERROR);
    assertThat(rights.what())
        .startsWith("user narrow may not do what the auditor must:")
        .contains("SCAN", "STRLEN", "HMGET", "GETRANGE on plain:*")
        .doesNotContain("PTTL,", "user:*");
    assertThat(rights.mend())
        .contains("--user narrow --askpass ACL SETUSER narrow")
        .contains("'+scan'", "'~plain:*'");
    Finding subscription = one(findings, "subscription");
    assertThat(subscription.severity()).isEqualTo(Severity.ERROR);
    assertThat(subscription.mend()).contains("+psubscribe").contains("'&__keyspace@0__:user:*");
    Finding notifications = one(findings, "notifications");
    assertThat(notifications.severity()).isEqualTo(Severity.WARNING);
    assertThat(notifications.mend()).contains("+config|get");
    assertThat(findings.toString()).doesNotContain("secret");
  }

  @Test
  void shouldTryTheCommandsThatReadWhereADryRunIsNotAllowed() {
    good.commands()
        .aclSetuser(
            "reader",
            AclSetuserArgs.Builder.on()
                .addPassword("secret")
                .allKeys()
                .addCommand(CommandType.INFO)
                .addCommand(CommandType.TIME)
                .addCommand(CommandType.PTTL)
                .addCommand(CommandType.GETRANGE)
                .addCommand(CommandType.STRLEN)
                .addCommand(CommandType.SCAN));

    Finding rights = one(examine(as("reader"), null), "rights");

    assertThat(rights.severity()).isEqualTo(Severity.ERROR);
    assertThat(rights.what()).endsWith("HSTRLEN, HMGET, LRANGE, LLEN").startsWith("user reader");
  }

  @Test
  void shouldSayWhatToDoWhereAServiceHidesItsConfiguration() {
    try (TestRedis managed =
        TestRedis.with("notify-keyspace-events KEA", "rename-command CONFIG \"\"")) {
      Finding silent = one(examine(TestStores.one(managed), null), "notifications");

      assertThat(silent.severity()).isEqualTo(Severity.WARNING);
      assertThat(silent.what()).contains("cannot be seen").contains("Kg$xelh");
      assertThat(silent.mend()).contains("aws elasticache modify-cache-parameter-group");

      ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor();
      try {
        writer.scheduleAtFixedRate(
            () -> managed.set("user:1:profile", "1:t:x"), 0, 50, TimeUnit.MILLISECONDS);
        Finding heard = one(examine(TestStores.one(managed), null), "notifications");
        assertThat(heard.severity()).isEqualTo(Severity.OK);
        assertThat(heard.what()).startsWith("key events arrive");
      } finally {
        writer.shutdownNow();
      }
    }
  }

  @Test
  void shouldReportAReplicaWhereAPrimaryIsNeeded() {
    try (TestRedis replica = TestRedis.primary()) {
      replica.commands().replicaof("127.0.0.1", good.port());

      Finding role = one(examine(TestStores.one(replica), null), "role");

      assertThat(role.severity()).isEqualTo(Severity.ERROR);
      assertThat(role.mend()).endsWith("redis://127.0.0.1:" + good.port());
      replica.commands().replicaofNoOne();
    }
  }

  @Test
  void shouldFindAServerThatIsDownAndExamineTheOthers() {
    TestRedis down = TestRedis.primary();
    down.close();
    String shards = TestStores.shards(down, good);

    List<Finding> findings = examine(shards, null);

    Finding reachable = one(findings, "reachable");
    assertThat(reachable.severity()).isEqualTo(Severity.ERROR);
    assertThat(reachable.where()).isEqualTo("east " + down.address());
    assertThat(findings).anyMatch(f -> f.where().equals("east " + good.address()));
  }

  @Test
  void shouldExamineEveryNodeOfACluster() {
    List<TestRedis> nodes = TestRedis.cluster(3);
    try {
      await()
          .until(
              () -> nodes.stream().allMatch(n -> n.commands().clusterInfo().contains("state:ok")));
      nodes.get(2).commands().configSet("notify-keyspace-events", "");

      List<Finding> findings = examine(TestStores.cluster(nodes.get(0)), null);

      assertThat(one(findings, "cluster").what())
          .startsWith("all 16384 slots")
          .contains("3 primaries");
      assertThat(findings)
          .filteredOn(f -> f.check().equals("notifications"))
          .extracting(Finding::where, Finding::severity)
          .contains(
              org.assertj.core.groups.Tuple.tuple("east " + nodes.get(2).address(), Severity.ERROR),
              org.assertj.core.groups.Tuple.tuple("east " + nodes.get(1).address(), Severity.OK));
      assertThat(findings)
          .filteredOn(f -> f.check().equals("replication"))
          .hasSize(3)
          .allMatch(f -> f.severity() == Severity.WARNING);
      assertThat(findings)
          .filteredOn(f -> f.check().equals("rights"))
          .hasSize(3)
          .allMatch(f -> f.severity() == Severity.OK);
    } finally {
      nodes.forEach(TestRedis::close);
    }
  }

  @Test
  void shouldTellAPeerThatIsDownAsAFinding() throws InterruptedException {
    RestitchConfig config = TestStores.config(TestStores.one(good), TestStores.one(good));

    List<Finding> registry = new RegistryExam(config).examine();

    assertThat(registry)
        .singleElement()
        .satisfies(f -> assertThat(f.severity()).isEqualTo(Severity.ERROR))
        .satisfies(f -> assertThat(f.mend()).startsWith("curl -s http://localhost:1/subjects"));
  }

  private static String as(String user) {
    return "{ uri: \"" + good.uri() + "\", username: " + user + ", password: { env: PASSWORD } }";
  }

  private static List<Finding> examine(String east, Treatment treatment) {
    String yaml =
        """
        kafka: { bootstrap.servers: "localhost:1" }
        registry: { url: "http://localhost:1" }
        stores:
          east: %s
        relations:
          user:
            sides: { profile: { store: east, key: "user:{id}:profile" } }
            stamp: "{version}:{token}:{payload}"
            version: { order: counter }
          plain:
            sides: { one: { store: east, key: "plain:{id}" } }
            stamp: "{version}:{payload}"
            version: { order: counter }
          form:
            sides:
              head: { store: east, key: "form:{id}", type: hash, fields: { version: v, token: t } }
            stamp: "{version}:{token}:{payload}"
            version: { order: counter }
          log:
            sides: { left: { store: east, key: "log:{id}:left", type: list } }
            stamp: "{token}:{payload}"
        """
            .formatted(east);
    RestitchConfig config = ConfigLoader.parse(yaml, Map.of("PASSWORD", "secret"));
    List<String> progress = new ArrayList<>();
    List<Finding> findings =
        new StoreExam(new StoreNeeds(config, config.stores().get("east")), treatment, progress::add)
            .examine();
    assertThat(progress).isNotEmpty().allMatch(step -> step.startsWith("examining store east"));
    return findings;
  }

  private static Finding one(List<Finding> findings, String check) {
    return findings.stream()
        .filter(f -> f.check().equals(check))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no finding of " + check + " in " + findings));
  }

  private static String flags(TestRedis redis) {
    return redis.commands().configGet("notify-keyspace-events").get("notify-keyspace-events");
  }
}
