package dev.restitch.sandbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.restitch.cli.RestitchMain;
import dev.restitch.config.ConfigLoader;
import dev.restitch.sandbox.registry.EmbeddedRegistry;
import dev.restitch.sandbox.server.EmbeddedKafka;
import dev.restitch.sandbox.server.Lifetime;
import dev.restitch.sandbox.server.Ports;
import dev.restitch.sandbox.server.RedisProcess;
import dev.restitch.sandbox.server.Scratch;
import dev.restitch.serve.AuditorService;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What an auditor declared live, a replay of its topics declares again. */
class ReplayTopicsIT {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path kept;
  private Path file;
  private String base;

  @Test
  void shouldDeclareOfTheTopicsWhatWasDeclaredLive() throws Exception {
    try (Lifetime lifetime = Lifetime.begin()) {
      start(lifetime);
      Map<String, String> live = live();
      assertThat(live).hasSize(4);
      Path history = file.resolveSibling("history.jsonl");

      assertThat(run("export", "--from", "-1h", "--file", history.toString())).isZero();
      assertThat(Files.readString(history)).doesNotContain("secret");
      assertThat(run("replay", "--history", history.toString(), "-o", "json")).isEqualTo(3);
      assertThat(verdicts(out.toString())).isEqualTo(live);

      assertThat(run("replay", "--from", "-1h", "-o", "json")).isEqualTo(3);
      assertThat(verdicts(out.toString())).isEqualTo(live);
      assertThat(err.toString()).contains("4 the same, 0 only now, 0 only then");

      assertThat(run("replay", "--from", "-1h", "--instance", "conf/a")).isEqualTo(3);
      assertThat(out.toString()).contains("conf/a").doesNotContain("conf/b");
      assertThat(err.toString()).contains("1 the same, 0 only now, 0 only then");

      Path other = file.resolveSibling("other.yaml");
      Files.writeString(
          other,
          Files.readString(file).replace("settle: 300ms", "settle: 300ms\n    writes: some"));
      assertThat(run("replay", "--from", "-1h", "--config", other.toString())).isZero();
      assertThat(err.toString()).contains("0 the same, 0 only now, 4 only then");

      assertThat(run("replay", "--from", "-2h", "--to", "-1h")).isZero();
      assertThat(run("export", "--from", "yesterday")).isEqualTo(2);
      assertThat(err.toString()).contains("'yesterday' is no time", "-2h");
      assertThat(run("export", "--from", "-1h", "--relation", "cnf")).isEqualTo(2);
      assertThat(run("replay")).isEqualTo(2);
      assertThat(err.toString()).contains("--history FILE, or --from TIME");
      file = Files.copy(file, kept.resolve("restitch.yaml"));
    }
    assertThat(run("replay", "--from", "-1h")).as("nobody is there any more").isEqualTo(1);
    assertThat(err.toString()).contains("is Kafka running, and is kafka.bootstrap.servers right?");
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    CommandLine line = RestitchMain.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    boolean named = String.join(" ", arguments).contains("--config");
    String[] all = Arrays.copyOf(arguments, arguments.length + (named ? 0 : 2));
    if (!named) {
      all[arguments.length] = "--config";
      all[arguments.length + 1] = file.toString();
    }
    return line.execute(all);
  }

  private static Map<String, String> verdicts(String lines) throws Exception {
    Map<String, String> verdicts = new TreeMap<>();
    for (String line : lines.lines().toList()) {
      JsonNode found = JSON.readTree(line);
      verdicts.put(
          found.path("instance").asText(),
          found.path("verdict").asText()
              + " "
              + found.path("token").asText()
              + " "
              + found.path("behind"));
    }
    return verdicts;
  }

  private Map<String, String> live() throws Exception {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> JSON.readTree(get("/api/v1/incidents")).path("total").asInt() == 4);
    StringBuilder lines = new StringBuilder();
    for (JsonNode incident : JSON.readTree(get("/api/v1/incidents")).path("incidents")) {
      var line = JSON.createObjectNode();
      line.put("instance", incident.path("instance").asText());
      line.put("verdict", incident.path("verdict").asText());
      line.put("token", incident.path("token").asText());
      var behind = line.putArray("behind");
      incident.path("behind").forEach(key -> behind.add(key(key)));
      lines.append(line).append('\n');
    }
    return verdicts(lines.toString());
  }

  /** As a replay names a key that stands in two stores. */
  private static String key(JsonNode key) {
    return key.isTextual()
        ? key.asText()
        : key.path("store").asText() + "/" + key.path("key").asText();
  }

  private void start(Lifetime lifetime) throws Exception {
    Scratch scratch = lifetime.own(Scratch.create("restitch-replay-"));
    EmbeddedKafka kafka = lifetime.own(EmbeddedKafka.start(scratch));
    EmbeddedRegistry registry = lifetime.own(EmbeddedRegistry.start());
    RedisProcess east = lifetime.own(RedisProcess.start(scratch));
    RedisProcess west = lifetime.own(RedisProcess.start(scratch));
    file = scratch.dir().resolve("restitch.yaml");
    Files.writeString(
        file,
        """
        kafka: { bootstrap.servers: "%s" }
        topics: { partitions: 2 }
        registry: { url: "%s" }
        state-dir: "%s"
        management: { port: %d }
        stores:
          east: { uri: "%s" }
          west: { uri: "%s" }
        relations:
          conf:
            sides:
              here:  { store: east, key: "conf:{name}" }
              there: { store: west, key: "conf:{name}" }
            stamp: "{version}:{token}:{payload}"
            version: { order: counter }
            settle: 300ms
        """
            .formatted(
                kafka.bootstrapServers(),
                registry.url(),
                scratch.dir().resolve("state"),
                Ports.free(),
                east.uri(),
                west.uri()));
    AuditorService auditor = lifetime.own(new AuditorService(ConfigLoader.load(file, Map.of())));
    auditor.start();
    base = "http://127.0.0.1:" + ConfigLoader.load(file, Map.of()).management().port();
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .until(() -> JSON.readTree(get("/api/v1/status")).path("subscribed").asInt() == 2);
    tear(east, west);
  }

  private static void tear(RedisProcess east, RedisProcess west) {
    try (RedisClient a = RedisClient.create(east.uri());
        RedisClient b = RedisClient.create(west.uri())) {
      RedisCommands<String, String> left = a.connect().sync();
      RedisCommands<String, String> right = b.connect().sync();
      for (String name : new String[] {"a", "b", "c", "d", "whole"}) {
        left.set("conf:" + name, "1:t1:secret");
        right.set("conf:" + name, "1:t1:secret");
      }
      left.set("conf:a", "2:t2:secret");
      right.set("conf:b", "2:t2:secret");
      right.del("conf:c");
      left.set("conf:d", "no stamp");
      left.set("conf:whole", "2:t2:secret");
      right.set("conf:whole", "2:t2:secret");
    }
  }

  private String get(String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(URI.create(base + path)).build(), BodyHandlers.ofString())
        .body();
  }
}
