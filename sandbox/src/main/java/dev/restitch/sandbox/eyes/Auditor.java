package dev.restitch.sandbox.eyes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import dev.restitch.sandbox.demo.Home;
import dev.restitch.sandbox.server.ChildProcess;
import dev.restitch.sandbox.server.JavaCommand;
import dev.restitch.sandbox.server.Ports;
import dev.restitch.sandbox.server.Scratch;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** The auditor as a process of its own, which can be killed. Not thread-safe. */
final class Auditor implements AutoCloseable {

  private static final String MAIN = "dev.restitch.cli.RestitchMain";
  private static final Duration ASK_AT_MOST = Duration.ofSeconds(3);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Servers servers;
  private final Scratch scratch;
  private final Path folder;
  private final int port = Ports.free();
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(ASK_AT_MOST).build();
  private ChildProcess process;

  Auditor(Servers servers, Scratch scratch) {
    this.servers = servers;
    this.scratch = scratch;
    this.folder = scratch.newFolder("auditor");
  }

  /** The configuration that it is started with. */
  RestitchConfig config(boolean background) {
    return ConfigLoader.parse(yaml(background), Map.of());
  }

  /**
   * Starts it.
   *
   * @param background true: it sweeps all the time; false: gaps only
   */
  void start(boolean background) throws IOException {
    Path file = Files.writeString(folder.resolve("restitch.yaml"), yaml(background));
    process =
        ChildProcess.start(
            "auditor",
            List.of(
                JavaCommand.java(),
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                Home.classPathWith(MAIN),
                MAIN,
                "auditor",
                "--config",
                file.toString()),
            Map.of(),
            folder,
            scratch.dir().resolve("auditor.log"));
  }

  private String yaml(boolean background) {
    return """
    kafka:
      bootstrap.servers: "%s"
      consumer.session.timeout.ms: 6000
      consumer.heartbeat.interval.ms: 1000
    registry: { url: "%s" }
    topics: { partitions: 2 }
    stores:
      main: { cluster: [%s] }
      west: { uris: [%s], sharding: crc32 }
    relations:
      user:
        sides:
          profile:  { store: main, key: "user:{id}:profile" }
          settings: { store: west, key: "user:{id}:settings" }
        stamp: "{version}:{token}:{payload}"
        version: { order: counter }
        settle: %dms
    sweep: { rate: %d, gap-rate: 100000, every: 1s, latency: 2s }
    management: { port: %d }
    state-dir: "%s"
    """
        .formatted(
            servers.bootstrapServers(),
            servers.registryUrl(),
            uris(servers.nodes()),
            uris(servers.shards()),
            Plan.SETTLE.toMillis(),
            background ? 100_000 : 0,
            port,
            folder.resolve("state"));
  }

  private static String uris(List<Server> servers) {
    return servers.stream()
        .map(server -> '"' + server.proxy().uri() + '"')
        .collect(Collectors.joining(", "));
  }

  /** SIGKILL. */
  void kill() {
    process.kill();
  }

  /** Ends it as an operator does. */
  void stop() {
    process.close();
  }

  /** What it says of its coverage. */
  record View(boolean answers, boolean settled, String sentence) {

    static final View NONE = new View(false, false, "no answer");
  }

  /** Asks how it stands; settled: all watched, every gap told and swept, nothing pending. */
  View view() throws IOException, InterruptedException {
    if (process == null || !process.alive()) {
      throw new IOException("the auditor ended: " + (process == null ? "" : process.tail(20)));
    }
    try {
      JsonNode coverage = get("/api/v1/coverage");
      String sentence = get("/api/v1/status").path("state").asText();
      boolean settled =
          !sentence.equals("Blind")
              && !coverage.path("nodes").isEmpty()
              && coverage.path("openGaps").isEmpty()
              && StreamSupport.stream(coverage.path("nodes").spliterator(), false)
                  .allMatch(Auditor::settled);
      return new View(true, settled, sentence);
    } catch (IOException notNow) {
      return View.NONE;
    }
  }

  private static boolean settled(JsonNode node) {
    return node.path("subscribed").asBoolean()
        && !node.path("gapOpen").asBoolean()
        && node.path("pending").asLong() == 0
        && node.path("gapsSwept").asLong() > 0;
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(ASK_AT_MOST)
                .build(),
            HttpResponse.BodyHandlers.ofString());
    return JSON.readTree(answer.body());
  }

  @Override
  public void close() {
    if (process != null) {
      process.close();
    }
  }
}
