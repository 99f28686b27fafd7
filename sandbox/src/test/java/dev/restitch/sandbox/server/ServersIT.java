package dev.restitch.sandbox.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServersIT {

  private final Scratch scratch = Scratch.create("restitch-servers-");
  private final Lifetime lifetime = Lifetime.begin();

  @AfterEach
  void end() {
    lifetime.close();
    scratch.close();
  }

  @Test
  void shouldStartAllServersInParallelAndLeaveNothingBehind() throws Exception {
    lifetime.own(scratch);
    var kafka = lifetime.start("kafka", () -> EmbeddedKafka.start(scratch));
    var east = lifetime.start("east", () -> RedisProcess.start(scratch));
    var west = lifetime.start("west", () -> RedisProcess.start(scratch));
    var postgres = lifetime.start("postgres", () -> PostgresServer.start(scratch));
    CompletableFuture.allOf(kafka, east, west, postgres).join();

    createTopic(kafka.join().bootstrapServers(), "things");
    try (Connection c = postgres.join().dataSource().getConnection();
        Statement s = c.createStatement();
        ResultSet r = s.executeQuery("select 1")) {
      assertThat(r.next()).isTrue();
    }
    try (RespConnection c = new RespConnection(east.join().port())) {
      assertThat(c.call("SET", "a", "1")).isEqualTo("OK");
    }
    try (RespConnection c = new RespConnection(west.join().port())) {
      assertThat(c.call("EXISTS", "a")).isEqualTo("0");
    }
    List<Long> pids = List.of(east.join().pid(), west.join().pid(), postmaster(scratch.dir()));

    lifetime.close();

    // a process that has ended is gone when its parent, or init, has taken note of it
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () -> assertThat(pids).allSatisfy(pid -> assertThat(ProcessHandle.of(pid)).isEmpty()));
    assertThat(scratch.dir()).doesNotExist();
  }

  @Test
  void shouldLoseDataWhenRedisIsKilledAndAnswerAgainAfterRestart() throws Exception {
    RedisProcess redis = lifetime.own(RedisProcess.start(scratch));
    try (RespConnection c = new RespConnection(redis.port())) {
      c.call("SET", "a", "1");
    }
    redis.kill();
    assertThat(redis.alive()).isFalse();
    redis.restart();
    try (RespConnection c = new RespConnection(redis.port())) {
      assertThat(c.call("EXISTS", "a")).isEqualTo("0");
    }
  }

  @Test
  void shouldAgreeOnAllSlotsOfACluster() throws Exception {
    RedisCluster cluster = lifetime.own(RedisCluster.start(scratch));
    assertThat(cluster.nodes()).hasSize(3);
    try (RespConnection c = new RespConnection(cluster.nodes().get(2).port())) {
      assertThat(c.call("CLUSTER", "INFO")).contains("cluster_slots_ok:16384");
    }
  }

  @Test
  void shouldKeepItsTopicsWhenABrokerProcessIsKilled() throws Exception {
    KafkaProcess kafka = lifetime.own(KafkaProcess.start(scratch));
    createTopic(kafka.bootstrapServers(), "things");
    kafka.kill();
    assertThat(kafka.alive()).isFalse();
    kafka.restart();
    try (Admin admin = admin(kafka.bootstrapServers())) {
      assertThat(admin.listTopics().names().get()).contains("things");
    }
  }

  private static void createTopic(String bootstrapServers, String name) throws Exception {
    try (Admin admin = admin(bootstrapServers)) {
      admin.createTopics(List.of(new NewTopic(name, 2, (short) 1))).all().get();
    }
  }

  private static Admin admin(String bootstrapServers) {
    return Admin.create(Map.of("bootstrap.servers", bootstrapServers));
  }

  private static long postmaster(Path folder) throws Exception {
    try (var files = Files.walk(folder)) {
      Path pid = files.filter(f -> f.endsWith("postmaster.pid")).findFirst().orElseThrow();
      return Long.parseLong(Files.readAllLines(pid).get(0).trim());
    }
  }
}
