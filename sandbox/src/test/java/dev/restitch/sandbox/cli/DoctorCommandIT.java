package dev.restitch.sandbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.restitch.avro.Gap;
import dev.restitch.cli.RestitchMain;
import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import dev.restitch.kafka.KafkaClients;
import dev.restitch.registry.SchemaRegistries;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.sandbox.registry.EmbeddedRegistry;
import dev.restitch.sandbox.server.EmbeddedKafka;
import dev.restitch.sandbox.server.PostgresServer;
import dev.restitch.sandbox.server.RedisProcess;
import dev.restitch.sandbox.server.Scratch;
import dev.restitch.serde.ContractSchemas;
import dev.restitch.topic.Topics;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.avro.SchemaBuilder;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The command from end to end, against real servers. */
class DoctorCommandIT {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static Scratch scratch;
  private static EmbeddedKafka kafka;
  private static EmbeddedRegistry registry;
  private static RedisProcess redis;
  private static PostgresServer postgres;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void start() throws Exception {
    scratch = Scratch.create("restitch-doctor-");
    kafka = EmbeddedKafka.start(scratch);
    registry = EmbeddedRegistry.start();
    redis = RedisProcess.start(scratch, List.of("--appendonly", "yes"));
    postgres = PostgresServer.start(scratch);
    try (Connection c = postgres.dataSource().getConnection();
        Statement s = c.createStatement()) {
      s.execute("create table profiles (id bigint primary key, body text not null)");
      s.execute("create table settings (id uuid primary key, body text not null)");
    }
  }

  @AfterAll
  static void stop() throws IOException {
    postgres.close();
    redis.close();
    registry.close();
    kafka.close();
    scratch.close();
  }

  @Test
  void shouldWarnOfWhatIsMissingAndMendItOnlyWithLeave() throws Exception {
    Path file = write("fresh", "?", "?");

    assertThat(run("doctor", "--config", file.toString(), "-o", "json")).isEqualTo(4);

    List<JsonNode> before = json();
    assertThat(before)
        .filteredOn(f -> f.path("check").asText().equals("topics"))
        .hasSize(Topics.all().size())
        .allMatch(f -> f.path("severity").asText().equals("warning"))
        .allMatch(f -> f.path("mend").asText().startsWith("kafka-topics.sh --bootstrap-server "));
    assertThat(before)
        .filteredOn(f -> f.path("check").asText().equals("source"))
        .hasSize(2)
        .allMatch(f -> f.path("severity").asText().equals("ok"));
    assertThat(before)
        .filteredOn(f -> f.path("check").asText().equals("clock"))
        .extracting(f -> f.path("finding").asText())
        .hasSize(2)
        .allMatch(words -> words.contains("this machine"));
    assertThat(topics()).noneMatch(name -> name.startsWith("fresh-"));
    assertThat(err.toString()).contains("examining Kafka ...", "warning(s), 0 error(s)");

    assertThat(run("doctor", "--config", file.toString(), "--apply")).isEqualTo(2);
    assertThat(topics()).noneMatch(name -> name.startsWith("fresh-"));

    flags("Et");
    int code =
        run(
            "doctor",
            "--config",
            file.toString(),
            "-o",
            "json",
            "--apply",
            "--owner",
            "ann",
            "--cause",
            "first start");
    assertThat(code).as("%s", out).isZero();
    assertThat(json())
        .filteredOn(f -> f.has("changed"))
        .extracting(f -> f.path("check").asText())
        .containsExactlyInAnyOrder("notifications", "topics");
    assertThat(topics()).contains("fresh-intents", "fresh-dead-letters");
    assertThat(flags(null)).contains("K", "E", "t", "$", "x", "e", "g");

    assertThat(run("doctor", "--config", file.toString())).isZero();
    assertThat(out.toString())
        .startsWith("SEVERITY")
        .contains("all " + Topics.all().size() + " topics are as they must be");
    assertThat(err.toString()).contains(" 0 warning(s), 0 error(s)");
  }

  @Test
  void shouldNameEveryErrorWithWhatMendsIt() throws Exception {
    Path file = write("wrong", "? and id = ?", "? and nothing = 1");
    RestitchConfig config = ConfigLoader.load(file, Map.of());
    try (Admin admin = KafkaClients.admin(config);
        SchemaRegistry schemas = SchemaRegistries.open(config.registry())) {
      admin.createTopics(List.of(new NewTopic("wrong-intents", 1, (short) 1))).all().get();
      String gaps =
          ContractSchemas.bySubject(config.topics()).entrySet().stream()
              .filter(e -> e.getValue().equals(Gap.getClassSchema()))
              .map(Map.Entry::getKey)
              .findFirst()
              .orElseThrow();
      schemas.register(
          gaps, SchemaBuilder.record("Other").fields().requiredString("else").endRecord());
    }

    assertThat(run("doctor", "--config", file.toString(), "-o", "json")).isEqualTo(1);

    assertThat(json())
        .filteredOn(f -> f.path("severity").asText().equals("error"))
        .extracting(f -> f.path("check").asText() + " " + f.path("where").asText())
        .contains(
            "topics wrong-intents",
            "registry wrong-gaps-value",
            "source users-db user.profile",
            "source users-db user.settings");
    assertThat(json()).allMatch(f -> f.path("severity").asText().equals("ok") != f.has("mend"));
  }

  @Test
  void shouldTellPeersThatAreDownAsFindings() throws Exception {
    Path file = scratch.dir().resolve("down.yaml");
    Files.writeString(
        file,
        """
        kafka: { bootstrap.servers: "127.0.0.1:1" }
        registry: { url: "http://127.0.0.1:1" }
        stores:
          east: { uri: "redis://127.0.0.1:1" }
          main: { cluster: ["redis://127.0.0.1:2"] }
        relations:
          a:
            sides: { it: { store: east, key: "a:{id}" }, that: { store: main, key: "b:{id}" } }
            stamp: "{version}:{token}:{payload}"
            repair: [ { policy: source-of-truth, source: db } ]
            version: { order: counter, store: east, key: "v" }
        sources:
          db:
            jdbc: "jdbc:postgresql://127.0.0.1:1/none?user=x&password=hidden"
            query: { it: "select ?", that: "select ?" }
        """);

    assertThat(run("doctor", "--config", file.toString(), "-o", "json")).as("%s", err).isEqualTo(1);

    assertThat(json())
        .extracting(f -> f.path("check").asText() + " " + f.path("severity").asText())
        .containsExactly(
            "reachable error", "reachable error", "kafka error", "registry error", "source error");
    assertThat(out.toString() + err).doesNotContain("\tat ", "hidden");
  }

  private static Path write(String prefix, String profile, String settings) throws IOException {
    Path file = scratch.dir().resolve(prefix + ".yaml");
    Files.writeString(
        file,
        """
        kafka: { bootstrap.servers: "%s" }
        registry: { url: "%s" }
        topics: { prefix: %s, partitions: 2, replication: 1 }
        stores:
          east: { uri: "%s" }
        relations:
          user:
            sides:
              profile: { store: east, key: "user:{id}:profile" }
              settings: { store: east, key: "user:{id}:settings" }
            stamp: "{version}:{token}:{payload}"
            version: { order: counter, store: east, key: "user:{id}:version" }
            repair: [ { policy: source-of-truth, source: users-db } ]
        sources:
          users-db:
            jdbc: "%s"
            query:
              profile: "select body from profiles where id = %s"
              settings: "select body from settings where id = %s"
        """
            .formatted(
                kafka.bootstrapServers(),
                registry.url(),
                prefix,
                redis.uri(),
                postgres.jdbcUrl(),
                profile,
                settings));
    return file;
  }

  /** Sets the notification flags, unless null; the flags that are set. */
  private static String flags(String set) {
    RedisClient client = RedisClient.create(redis.uri());
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      if (set != null) {
        connection.sync().configSet("notify-keyspace-events", set);
      }
      return connection.sync().configGet("notify-keyspace-events").get("notify-keyspace-events");
    } finally {
      client.shutdown(0, 1, TimeUnit.SECONDS);
    }
  }

  private static List<String> topics() throws Exception {
    try (Admin admin =
        Admin.create(Map.of("bootstrap.servers", (Object) kafka.bootstrapServers()))) {
      return List.copyOf(admin.listTopics().names().get());
    }
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    CommandLine line = RestitchMain.commandLine();
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err));
    return line.execute(arguments);
  }

  private List<JsonNode> json() throws IOException {
    List<JsonNode> findings = new ArrayList<>();
    for (String line : out.toString().lines().toList()) {
      findings.add(JSON.readTree(line));
    }
    return findings;
  }
}
