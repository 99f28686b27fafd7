package dev.restitch.sandbox.guard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import dev.restitch.sandbox.demo.Home;
import dev.restitch.sandbox.registry.EmbeddedRegistry;
import dev.restitch.sandbox.server.ChildProcess;
import dev.restitch.sandbox.server.FaultProxy;
import dev.restitch.sandbox.server.JavaCommand;
import dev.restitch.sandbox.server.KafkaProcess;
import dev.restitch.sandbox.server.Lifetime;
import dev.restitch.sandbox.server.Ports;
import dev.restitch.sandbox.server.PostgresServer;
import dev.restitch.sandbox.server.RedisCluster;
import dev.restitch.sandbox.server.RedisProcess;
import dev.restitch.sandbox.server.Scratch;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.sync.RedisAdvancedClusterCommands;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Real servers, and auditor and worker as processes of their own: one side of every instance on a
 * single primary, the other in a cluster with replicas, the truth in PostgreSQL behind a proxy.
 */
final class RepairWorld {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String AUDITOR = "dev.restitch.cli.RestitchMain";
  private static final String WORKER = "dev.restitch.worker.RepairWorkerMain";

  private final Path folder;
  private final Path file;
  private final int port = Ports.free();
  private final HttpClient http = HttpClient.newHttpClient();
  final KafkaProcess kafka;
  final RedisProcess eastServer;
  final RedisCluster cluster;
  final PostgresServer postgres;
  final FaultProxy truthProxy;
  final RedisCommands<String, String> east;
  final RedisAdvancedClusterCommands<String, String> main;
  final RestitchConfig config;
  private ChildProcess auditor;
  private ChildProcess worker;

  RepairWorld(Lifetime lifetime) throws Exception {
    Scratch scratch = lifetime.own(Scratch.create("restitch-repairs-"));
    folder = scratch.newFolder("services");
    kafka = lifetime.own(KafkaProcess.start(scratch));
    EmbeddedRegistry registry = lifetime.own(EmbeddedRegistry.start());
    eastServer = lifetime.own(RedisProcess.start(scratch));
    cluster = lifetime.own(RedisCluster.start(scratch, 3, 1, RedisCluster.Node.plain()));
    postgres = lifetime.own(PostgresServer.start(scratch));
    truthProxy = lifetime.own(new FaultProxy(1));
    truthProxy.target(postgres.port());
    RedisClient client = RedisClient.create(eastServer.uri());
    lifetime.own(client::shutdown);
    east = client.connect().sync();
    main = connect(lifetime);
    file = folder.resolve("restitch.yaml");
    Files.writeString(file, yaml(registry.url()));
    config = ConfigLoader.load(file, Map.of());
    lifetime.own(this::stop);
  }

  private RedisAdvancedClusterCommands<String, String> connect(Lifetime lifetime) {
    RedisClusterClient client =
        RedisClusterClient.create(cluster.uris().stream().map(RedisURI::create).toList());
    lifetime.own(client::shutdown);
    ClusterClientOptions.Builder options = ClusterClientOptions.builder();
    options.replayFilter(command -> true);
    options.topologyRefreshOptions(
        ClusterTopologyRefreshOptions.builder()
            .enablePeriodicRefresh(Duration.ofMillis(500))
            .enableAllAdaptiveRefreshTriggers()
            .build());
    client.setOptions(options.build());
    StatefulRedisClusterConnection<String, String> connection = client.connect();
    connection.setTimeout(Duration.ofSeconds(2));
    return connection.sync();
  }

  private String yaml(String registry) {
    StringBuilder nodes = new StringBuilder();
    cluster
        .uris()
        .forEach(
            uri -> nodes.append(nodes.isEmpty() ? "" : ", ").append('"').append(uri).append('"'));
    return """
    kafka: { bootstrap.servers: "%s" }
    topics: { partitions: 4 }
    registry: { url: "%s" }
    state-dir: "%s"
    management: { port: %d, worker-port: 0 }
    stores:
      east: { uri: "%s" }
      main: { cluster: [%s] }
    relations:
      user:
        sides:
          profile:  { store: east, key: "user:{id}:profile" }
          settings: { store: main, key: "user:{id}:settings" }
        stamp: "{version}:{token}:{payload}"
        version: { order: counter, store: east, key: "user:{id}:version" }
        settle: 500ms
        patience: 5s
        rate: 500
        generations: 100
        brake: { share: 1.0, count: 1000000 }
        repair: [ { policy: source-of-truth, source: db } ]
      conf:
        sides:
          here:  { store: east, key: "conf:{id}:here", payload: conf }
          there: { store: main, key: "conf:{id}:there", payload: conf }
        stamp: "{version}:{token}:{payload}"
        version: { order: counter, store: east, key: "conf:{id}:version" }
        settle: 500ms
        patience: 5s
        rate: 500
        generations: 100
        brake: { share: 1.0, count: 1000000 }
        repair: [ { policy: accept-newest, regenerate: copy }, { policy: source-of-truth, source: db } ]
    sweep: { rate: 100000, gap-rate: 100000, every: 1s, latency: 2s }
    sources:
      db:
        jdbc: "jdbc:postgresql://127.0.0.1:%d/postgres?connectTimeout=2&socketTimeout=3"
        username: postgres
        query:
          profile: "select body from truth where id = ?"
          settings: "select body from truth where id = ?"
          here: "select body from truth where id = ?"
          there: "select body from truth where id = ?"
    """
        .formatted(
            kafka.bootstrapServers(),
            registry,
            folder.resolve("state"),
            port,
            eastServer.uri(),
            nodes,
            truthProxy.port());
  }

  void startAuditor() throws IOException {
    auditor = start("auditor", AUDITOR, "auditor");
  }

  void startWorker() throws IOException {
    worker = start("worker", WORKER);
  }

  private ChildProcess start(String name, String program, String... first) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                JavaCommand.java(),
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + folder,
                "-DRESTITCH_OPERATIONS_DIR=" + folder,
                "-cp",
                Home.classPathWith(program),
                program));
    command.addAll(List.of(first));
    command.addAll(List.of("--config", file.toString()));
    return ChildProcess.start(name, command, Map.of(), folder, folder.resolve(name + ".log"));
  }

  /** SIGKILL. */
  void killAuditor() {
    auditor.kill();
  }

  /** SIGKILL. */
  void killWorker() {
    worker.kill();
  }

  /** True if the auditor answers so, and both processes live. */
  boolean ready() throws Exception {
    if (!auditor.alive() || !worker.alive()) {
      throw new IOException("a service ended:\n" + auditor.tail(20) + "\n" + worker.tail(20));
    }
    return read("/api/v1/status").path("state").asText("Blind").equals("Blind") == false;
  }

  /** Open incidents; -1: the auditor does not answer now. */
  int openIncidents() throws Exception {
    return read("/api/v1/status").path("openIncidents").asInt(-1);
  }

  String incidents() throws Exception {
    return read("/api/v1/incidents").toPrettyString();
  }

  private JsonNode read(String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(2))
            .build();
    try {
      return JSON.readTree(http.send(request, HttpResponse.BodyHandlers.ofString()).body());
    } catch (IOException notNow) {
      return JSON.createObjectNode();
    }
  }

  /** The ends of both outputs, for what went wrong. */
  String outputs() {
    return auditor.tail(40) + "\n---\n" + worker.tail(40);
  }

  private void stop() {
    for (ChildProcess process : new ChildProcess[] {worker, auditor}) {
      if (process != null) {
        process.close();
      }
    }
  }
}
