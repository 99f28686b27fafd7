package dev.restitch.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import dev.restitch.doctor.NodeFacts.ClockReading;
import dev.restitch.doctor.NodeFacts.Listening;
import dev.restitch.doctor.NodeFacts.Rights;
import dev.restitch.doctor.RegistryRules.Standing;
import dev.restitch.doctor.Right.Denial;
import dev.restitch.doctor.SourceRules.QueryFacts;
import dev.restitch.topic.TopicInspection;
import dev.restitch.topic.TopicMismatchException.Problem;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RulesTest {

  private static final String BUFFER = "client-output-buffer-limit";
  private static final RestitchConfig CONFIG =
      ConfigLoader.parse(
          """
          kafka: { bootstrap.servers: "localhost:1" }
          registry: { url: "http://localhost:1" }
          stores:
            east: { uri: "redis://localhost:7001" }
            west: { uri: "redis://localhost:7002" }
          relations:
            user:
              sides:
                profile: { store: east, key: "user:{id}:profile" }
                settings: { store: west, key: "user:{id}:settings" }
              stamp: "{version}:{token}:{payload}"
              version: { order: counter, store: east, key: "user:{id}:version" }
              ttl-tolerance: 5s
            quote:
              sides: { bid: { store: west, key: "quote:{id}" } }
              stamp: "{timestamp}:{token}:{payload}"
              version: { order: timestamp, max-skew: 250ms }
              marker: { store: west, key: "txn:{token}:committed", ttl: 1h }
          """,
          Map.of());

  private final Map<String, String> info = new HashMap<>(Map.of("role", "master"));
  private final Map<String, String> settings = new HashMap<>();
  private String blocked;
  private boolean replica;
  private String refused;
  private ClockReading clock = new ClockReading(0, 0);
  private List<Denial> denied = List.of();

  @ParameterizedTest
  @CsvSource({
    "KEA, OK, ",
    "AKE, OK, ",
    "Kg$xe, OK, ",
    "AE, ERROR, AEK",
    "KE$, ERROR, KE$gxe",
    "'', ERROR, Kg$xe"
  })
  void shouldNeedEveryNotificationFlag(String set, Severity severity, String mended) {
    settings.put("notify-keyspace-events", set);

    Finding found = WatchRules.notifications(facts("east"));

    assertThat(found.severity()).isEqualTo(severity);
    assertThat(found.mend())
        .isEqualTo(
            mended == null
                ? null
                : "redis-cli -h localhost -p 7001 CONFIG SET notify-keyspace-events '"
                    + mended
                    + "'");
  }

  @Test
  void shouldOnlyWarnOfAReplicaThatTellsNothing() {
    replica = true;
    settings.put("notify-keyspace-events", "");

    Finding found = WatchRules.notifications(facts("east"));

    assertThat(found.severity()).isEqualTo(Severity.WARNING);
    assertThat(found.what()).contains("after a failover");
  }

  @Test
  void shouldTellAServiceThatHidesConfigFromAUserThatMayNotSeeIt() {
    blocked = "NOPERM this user has no permissions to run the 'config|get' command";
    assertThat(WatchRules.notifications(facts("east")).mend()).contains("ACL SETUSER");

    blocked = "ERR unknown command 'CONFIG'";
    assertThat(WatchRules.notifications(facts("east")).mend()).contains("console");
  }

  @Test
  void shouldCallARefusedSubscriptionBlind() {
    refused = "NOPERM No permissions to access a channel";

    Finding found = WatchRules.subscription(facts("east"));

    assertThat(found.severity()).isEqualTo(Severity.ERROR);
    assertThat(found.mend())
        .isEqualTo(
            "redis-cli -h localhost -p 7001 ACL SETUSER app +psubscribe +punsubscribe"
                + " '&__keyspace@0__:user:*'");
  }

  @Test
  void shouldWarnOnlyOfRightsThatTheWorkerLacks() {
    denied =
        List.of(
            new Denial(
                Right.worker("SET", "user:*", "k", "1"),
                "User app has no permissions to run the 'set' command"),
            new Denial(
                Right.worker("GET", "user:*", "k"),
                "User app has no permissions to access the 'k' key"));

    assertThat(WatchRules.rights(facts("east")))
        .singleElement()
        .satisfies(f -> assertThat(f.severity()).isEqualTo(Severity.WARNING))
        .satisfies(f -> assertThat(f.what()).endsWith("SET, GET on user:*"))
        .satisfies(f -> assertThat(f.mend()).endsWith("ACL SETUSER app '+set' '~user:*'"));
  }

  @ParameterizedTest
  @CsvSource({
    "master, false, OK",
    "slave, true, OK",
    "slave, false, ERROR",
    "'', false, WARNING",
  })
  void shouldNeedAPrimary(String role, boolean expectedReplica, Severity severity) {
    replica = expectedReplica;
    info.put("role", role);
    info.put("master_host", "10.0.0.1");
    info.put("master_port", "6379");

    assertThat(WatchRules.role(facts("east")).severity()).isEqualTo(severity);
  }

  @ParameterizedTest
  @CsvSource({
    "33554432 8388608 60, OK",
    "33554431 8388608 60, WARNING",
    "33554432 8388607 60, WARNING",
    "33554432 8388608 59, WARNING",
    "268435456 0 0, OK",
    "0 8388608 60, OK",
    "0 0 0, WARNING",
  })
  void shouldWarnOfBuffersThatAreSmallerThanTheDefaultOrWithoutALimit(
      String limits, Severity severity) {
    settings.put(BUFFER, "normal 0 0 0 slave 268435456 67108864 60 pubsub " + limits);

    assertThat(ServerRules.buffer(facts("east")))
        .get()
        .extracting(Finding::severity)
        .isEqualTo(severity);
  }

  @Test
  void shouldSayNothingOfBuffersThatItCannotSee() {
    assertThat(ServerRules.buffer(facts("east"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "east, 0, allkeys-lru, OK",
    "east, 1, noeviction, OK",
    "east, 1, allkeys-lru, ERROR",
    "east, 1, volatile-ttl, OK",
    "west, 1, allkeys-random, WARNING",
    "west, 1, volatile-lru, WARNING",
  })
  void shouldWarnOfEvictionsAccordingToWhatStandsThere(
      String store, String maxmemory, String policy, Severity severity) {
    info.put("maxmemory", maxmemory);
    info.put("maxmemory_policy", policy);

    assertThat(ServerRules.eviction(facts(store)))
        .get()
        .extracting(Finding::severity)
        .isEqualTo(severity);
  }

  @Test
  void shouldWarnOfCountersThatDoNotOutliveARestart() {
    info.put("aof_enabled", "0");
    assertThat(ServerRules.persistence(facts("east")).orElseThrow().mend())
        .endsWith("CONFIG SET appendonly yes");
    assertThat(ServerRules.persistence(facts("west"))).isEmpty();

    info.put("aof_enabled", "1");
    assertThat(ServerRules.persistence(facts("east")).orElseThrow().severity())
        .isEqualTo(Severity.OK);
  }

  @Test
  void shouldWarnOfAcknowledgedWritesThatAFailoverMayLose() {
    info.put("connected_slaves", "1");
    assertThat(replication("east", true)).isEqualTo(Severity.WARNING);
    assertThat(replication("west", true)).isEqualTo(Severity.OK);

    info.put("min_slaves_good_slaves", "1");
    assertThat(replication("east", true)).isEqualTo(Severity.OK);

    info.put("connected_slaves", "0");
    assertThat(replication("east", true)).isEqualTo(Severity.WARNING);
    assertThat(replication("east", false)).isEqualTo(Severity.OK);
  }

  private Severity replication(String store, boolean cluster) {
    return ServerRules.replication(facts(store), cluster).orElseThrow().severity();
  }

  @ParameterizedTest
  @CsvSource({
    "west, 249, OK",
    "west, 250, OK",
    "west, 251, WARNING",
    "west, -251, WARNING",
    "east, 4999, OK",
    "east, 5000, OK",
    "east, 5001, WARNING",
  })
  void shouldTolerateWhatTheRelationsOfAStoreTolerate(
      String store, long offset, Severity severity) {
    clock = new ClockReading(offset, 0);

    assertThat(ClockRules.store(facts(store)).severity()).isEqualTo(severity);
  }

  @ParameterizedTest
  @CsvSource({"5009, OK", "5010, OK", "5011, ERROR", "-5011, ERROR"})
  void shouldNotHoldTheTimeOfTheAnswerAgainstTheBrokers(long offset, Severity severity) {
    assertThat(
            ClockRules.kafka("k", new ClockReading(offset, 10), Duration.ofSeconds(5)).severity())
        .isEqualTo(severity);
  }

  @Test
  void shouldReadWhatAClusterSaysOfItself() {
    String nodes =
        """
        a1 :7000@17000 myself,master - 0 0 1 connected 0-8191 [93->-b2]
        b2 10.0.0.2:7001@17001,host-b master - 0 0 2 connected 8192-16383
        c3 10.0.0.3:7002@17002 slave a1 0 0 1 connected
        d4 10.0.0.4:7003@17003 slave,fail b2 0 0 2 disconnected
        e5 10.0.0.5:7004@17004 master - 0 0 3 connected
        """;

    ClusterFacts facts =
        ClusterFacts.parse(
            "cluster_state:ok\r\ncluster_slots_assigned:16384\r\ncluster_slots_ok:16384\r\n",
            nodes,
            "10.0.0.1");

    assertThat(facts.nodes())
        .extracting(ClusterFacts.Node::address)
        .containsExactly(
            "10.0.0.1:7000", "10.0.0.2:7001", "10.0.0.3:7002", "10.0.0.4:7003", "10.0.0.5:7004");
    assertThat(facts.nodes())
        .extracting(ClusterFacts.Node::slots)
        .containsExactly(true, true, false, false, false);
    assertThat(ClusterRules.judge("main", address(), facts))
        .extracting(Finding::severity)
        .containsExactly(Severity.OK, Severity.WARNING);
  }

  @ParameterizedTest
  @CsvSource({"16383, 16383, ok, ERROR", "16384, 16000, fail, ERROR", "16384, 16384, ok, OK"})
  void shouldNeedEverySlotOfACluster(String assigned, String ok, String state, Severity severity) {
    ClusterFacts facts =
        new ClusterFacts(
            Map.of(
                "cluster_slots_assigned", assigned,
                "cluster_slots_ok", ok,
                "cluster_state", state),
            List.of());

    assertThat(ClusterRules.judge("main", address(), facts).get(0).severity()).isEqualTo(severity);
  }

  @Test
  void shouldTellMissingTopicsFromWrongOnes() {
    TopicInspection inspection =
        new TopicInspection(
            List.of(new TopicInspection.Missing("restitch-gaps", "kafka-topics.sh --create")),
            List.of(
                new Problem("restitch-intents", "has 3 partitions", "kafka-topics.sh --alter")));

    assertThat(KafkaRules.topics(inspection, 11))
        .extracting(Finding::where, Finding::severity, Finding::mend)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(
                "restitch-gaps", Severity.WARNING, "kafka-topics.sh --create"),
            org.assertj.core.groups.Tuple.tuple(
                "restitch-intents", Severity.ERROR, "kafka-topics.sh --alter"));
    assertThat(KafkaRules.topics(new TopicInspection(List.of(), List.of()), 11))
        .singleElement()
        .extracting(Finding::severity)
        .isEqualTo(Severity.OK);
  }

  @ParameterizedTest
  @CsvSource({"2, 3, ERROR", "3, 3, OK", "4, 3, OK"})
  void shouldNeedABrokerForEachReplica(int brokers, int replication, Severity severity) {
    assertThat(KafkaRules.brokers("k", brokers, replication).severity()).isEqualTo(severity);
  }

  @Test
  void shouldCallARefusedSchemaAnError() {
    assertThat(RegistryRules.judge("http://r", Map.of("s", Standing.REFUSED)))
        .singleElement()
        .satisfies(f -> assertThat(f.severity()).isEqualTo(Severity.ERROR))
        .satisfies(f -> assertThat(f.mend()).contains("http://r/subjects/s/versions/latest"));
    assertThat(
            RegistryRules.judge("http://r", Map.of("s", Standing.REGISTERED, "t", Standing.TAKEN)))
        .singleElement()
        .extracting(Finding::what)
        .isEqualTo("1 of 2 schemas are registered; the others are when the auditor starts");
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, , OK",
    "2, , , ERROR",
    "0, , , ERROR",
    "1, 2, , WARNING",
    "1, , permission denied, ERROR",
    ", 1, , OK",
  })
  void shouldNeedAQueryThatTakesTheIds(
      Integer parameters, Integer columns, String failure, Severity severity) {
    QueryFacts facts =
        new QueryFacts(
            "db user.profile", "sources.db", List.of("id"), parameters, columns, failure);

    assertThat(SourceRules.judge(facts).severity()).isEqualTo(severity);
  }

  @Test
  void shouldKeepCredentialsOfASeedForTheOtherNodesAndShowNone() {
    String uri = "rediss://app:se%40cret@10.0.0.1:7000/0?timeout=1s";
    ServerAddress seed = ServerAddress.of(CONFIG.stores().get("east"), uri);

    assertThat(seed.cli("PING"))
        .isEqualTo("redis-cli -h 10.0.0.1 -p 7000 --tls --user app --askpass PING");
    assertThat(ServerAddress.like(uri, seed.at("10.0.0.2", 7001)))
        .isEqualTo("rediss://app:se%40cret@10.0.0.2:7001/0?timeout=1s");
    assertThat(ServerAddress.like("redis://a:1", seed.at("b", 2))).isEqualTo("redis://b:2");
  }

  private NodeFacts facts(String store) {
    return new NodeFacts(
        new StoreNeeds(CONFIG, CONFIG.stores().get(store)),
        address(),
        replica,
        info,
        new Settings(settings, blocked),
        new Listening(List.of("__keyspace@0__:user:*"), refused, 0),
        new Rights("app", true, denied),
        clock);
  }

  private static ServerAddress address() {
    return new ServerAddress("localhost", 7001, false, 0, null, false);
  }
}
