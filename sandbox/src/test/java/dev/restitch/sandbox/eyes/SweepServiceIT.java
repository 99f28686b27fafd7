package dev.restitch.sandbox.eyes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.restitch.config.ConfigLoader;
import dev.restitch.sandbox.registry.EmbeddedRegistry;
import dev.restitch.sandbox.server.EmbeddedKafka;
import dev.restitch.sandbox.server.Ports;
import dev.restitch.sandbox.server.RedisProcess;
import dev.restitch.sandbox.server.Scratch;
import dev.restitch.serve.AuditorService;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A whole auditor that comes to data which was written, and torn, before it. */
class SweepServiceIT {

  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int USERS = 500;

  private final Scratch scratch = Scratch.create("restitch-sweep-service-");
  private final HttpClient http = HttpClient.newHttpClient();
  private EmbeddedKafka kafka;
  private EmbeddedRegistry registry;
  private RedisProcess east;
  private RedisProcess west;
  private RedisClient client;
  private RedisCommands<String, String> profiles;
  private RedisCommands<String, String> settings;
  private int port;
  private AuditorService service;

  @BeforeEach
  void open() throws Exception {
    kafka = EmbeddedKafka.start(scratch);
    registry = EmbeddedRegistry.start();
    east = RedisProcess.start(scratch);
    west = RedisProcess.start(scratch);
    client = RedisClient.create();
    profiles = client.connect(io.lettuce.core.RedisURI.create(east.uri())).sync();
    settings = client.connect(io.lettuce.core.RedisURI.create(west.uri())).sync();
    port = Ports.free();
  }

  @AfterEach
  void close() {
    if (service != null) {
      service.close();
    }
    client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    east.close();
    west.close();
    registry.close();
    kafka.close();
    scratch.close();
  }

  private void start() {
    service =
        new AuditorService(
            ConfigLoader.parse(
                """
                kafka: { bootstrap.servers: "%s" }
                registry: { url: "%s" }
                stores: { east: { uri: "%s" }, west: { uri: "%s" } }
                relations:
                  user:
                    sides:
                      profile:  { store: east, key: "user:{id}:profile" }
                      settings: { store: west, key: "user:{id}:settings" }
                    stamp: "{version}:{token}:{payload}"
                    version: { order: counter }
                    settle: 500ms
                sweep: { every: 2s }
                management: { port: %d }
                state-dir: "%s"
                """
                    .formatted(
                        kafka.bootstrapServers(),
                        registry.url(),
                        east.uri(),
                        west.uri(),
                        port,
                        scratch.dir().resolve("state")),
                Map.of()));
    service.start();
  }

  private String get(String path) {
    try {
      URI uri = URI.create("http://127.0.0.1:" + port + path);
      return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private JsonNode json(String path) {
    try {
      return JSON.readTree(get(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> torn() {
    return StreamSupport.stream(json("/api/v1/incidents").path("incidents").spliterator(), false)
        .map(incident -> incident.path("instance").asText())
        .toList();
  }

  private boolean swept(JsonNode coverage) {
    return coverage.path("nodes").size() == 2
        && coverage.path("openGaps").isEmpty()
        && StreamSupport.stream(coverage.path("nodes").spliterator(), false)
            .allMatch(n -> n.path("gapsSwept").asInt() > 0 && n.hasNonNull("lastSweep"));
  }

  private double metric(String metrics, String name) {
    return metrics
        .lines()
        .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  @Test
  void shouldFindTearsFromBeforeItCameAndKeepItsBooksOverARestart() {
    for (int i = 0; i < USERS; i++) {
      profiles.set("user:" + i + ":profile", "7:t7:x");
      settings.set("user:" + i + ":settings", "7:t7:y");
    }
    settings.set("user:3:settings", "6:t6:y");
    settings.del("user:4:settings");
    profiles.set("user:5:profile", "foreign");
    start();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(torn()).containsExactlyInAnyOrder("user/3", "user/4", "user/5"));
    await().atMost(PATIENCE).until(() -> swept(json("/api/v1/coverage")));

    JsonNode coverage = json("/api/v1/coverage");
    assertThat(coverage.path("state").asText()).isEqualTo("Diverging");
    assertThat(coverage.path("nodes").get(0).path("lastSweep").path("scanned").asInt())
        .isBetween(USERS - 1, USERS);
    assertThat(json("/api/v1/status").path("gapsOpen").asInt()).isZero();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              String metrics = get("/metrics");
              assertThat(metric(metrics, "restitch_sweep_scanned_total"))
                  .isGreaterThan(2.0 * USERS)
                  .isEqualTo(
                      metric(metrics, "restitch_sweep_keys_total")
                          + metric(metrics, "restitch_sweep_pending"));
              assertThat(metric(metrics, "restitch_sweep_gaps_swept_total")).isEqualTo(2);
              assertThat(metric(metrics, "restitch_sweep_gaps_open")).isZero();
              assertThat(metric(metrics, "restitch_node_subscribed")).isEqualTo(2);
              assertThat(metric(metrics, "restitch_node_gaps_swept")).isEqualTo(2);
              assertThat(metric(metrics, "restitch_node_sweep_findings")).isGreaterThanOrEqualTo(3);
              assertThat(metrics).contains("role=\"master\",store=\"east\"");
            });
    service.close();
    profiles.set("user:6:profile", "8:t8:x");
    start();
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(torn()).contains("user/6").hasSize(4));
    await().atMost(PATIENCE).until(() -> swept(json("/api/v1/coverage")));

    // those of the first start too, which it learned from the topics
    assertThat(json("/api/v1/coverage").path("nodes").get(0).path("gapsSwept").asInt())
        .isEqualTo(2);
    settings.set("user:3:settings", "7:t7:y");
    settings.set("user:4:settings", "7:t7:y");
    profiles.set("user:5:profile", "7:t7:x");
    settings.set("user:6:settings", "8:t8:y");
    await()
        .atMost(PATIENCE)
        .until(() -> json("/api/v1/status").path("state").asText().equals("Consistent"));
  }
}
