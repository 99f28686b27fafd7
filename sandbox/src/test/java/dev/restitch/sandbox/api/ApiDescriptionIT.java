package dev.restitch.sandbox.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.restitch.config.ConfigLoader;
import dev.restitch.sandbox.registry.EmbeddedRegistry;
import dev.restitch.sandbox.server.EmbeddedKafka;
import dev.restitch.sandbox.server.Lifetime;
import dev.restitch.sandbox.server.Ports;
import dev.restitch.sandbox.server.RedisProcess;
import dev.restitch.sandbox.server.Scratch;
import dev.restitch.serve.AuditorService;
import io.lettuce.core.RedisClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The API of a real auditor is what its OpenAPI description says. */
class ApiDescriptionIT {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern ROUTE = Pattern.compile("c\\.routes\\.(get|post)\\(\"([^\"]+)\"");
  private static final String CONTROL =
      """
      {"setting":"pause","scope":"store:east","value":"on","owner":"ann","cause":"a drill","apply":true}
      """;

  private final HttpClient client = HttpClient.newHttpClient();
  private String base;

  @Test
  void shouldAnswerAsItIsDescribed() throws Exception {
    try (Lifetime lifetime = Lifetime.begin()) {
      String incident = start(lifetime);
      ApiDescription api = new ApiDescription(get("/api/v1/openapi.yaml").body());

      assertThat(api.operations()).isEqualTo(routes());
      holds(api, "/livez", get("/livez"));
      holds(api, "/readyz", get("/readyz"));
      for (String path :
          Set.of(
              "/api/v1/status",
              "/api/v1/coverage",
              "/api/v1/consistency",
              "/api/v1/incidents",
              "/api/v1/repairs",
              "/api/v1/brake")) {
        holds(api, path, get(path));
      }
      holds(api, "/api/v1/incidents/{id}", get("/api/v1/incidents/" + incident));
      holds(api, "/api/v1/repairs/{id}", get("/api/v1/repairs/" + incident));
      HttpResponse<String> set = post(CONTROL);
      assertThat(set.statusCode()).isEqualTo(200);
      assertThat(api.wrong("/api/v1/controls", "post", 200, JSON.readTree(set.body()))).isEmpty();
      holds(api, "/api/v1/controls", get("/api/v1/controls"));

      for (String wrong :
          Set.of(
              "/api/v1/incidents/none",
              "/api/v1/repairs/none",
              "/api/v1/incidents?limit=many",
              "/api/v1/incidents?offset=-1")) {
        HttpResponse<String> problem = get(wrong);
        assertThat(problem.statusCode()).isBetween(400, 404);
        assertThat(problem.headers().firstValue("content-type"))
            .hasValue("application/problem+json");
      }
      HttpResponse<String> refused = post("{}");
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(api.wrong("/api/v1/controls", "post", 400, JSON.readTree(refused.body())))
          .isEmpty();
    }
  }

  private void holds(ApiDescription api, String path, HttpResponse<String> answer)
      throws Exception {
    assertThat(answer.statusCode()).as(path).isEqualTo(200);
    assertThat(api.wrong(path, "get", 200, JSON.readTree(answer.body())))
        .as(answer.body())
        .isEmpty();
  }

  /** The routes as the server's code names them. */
  private static Set<String> routes() throws Exception {
    String code =
        Files.readString(
            Path.of("..", "auditor/src/main/java/dev/restitch/serve/ManagementServer.java"));
    Set<String> routes = new TreeSet<>();
    Matcher route = ROUTE.matcher(code);
    while (route.find()) {
      routes.add(route.group(1) + " " + route.group(2));
    }
    return routes;
  }

  /** Starts everything, tears something; the id of the incident. */
  private String start(Lifetime lifetime) throws Exception {
    Scratch scratch = lifetime.own(Scratch.create("restitch-api-"));
    EmbeddedKafka kafka = lifetime.own(EmbeddedKafka.start(scratch));
    EmbeddedRegistry registry = lifetime.own(EmbeddedRegistry.start());
    RedisProcess east = lifetime.own(RedisProcess.start(scratch));
    RedisProcess west = lifetime.own(RedisProcess.start(scratch));
    Path file = scratch.dir().resolve("restitch.yaml");
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
              here:  { store: east, key: "conf:{name}", payload: conf }
              there: { store: west, key: "conf:{name}", payload: conf }
            stamp: "{version}:{token}:{payload}"
            version: { order: counter }
            settle: 300ms
            repair: [ { policy: accept-newest, regenerate: copy } ]
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
    await().atMost(Duration.ofSeconds(60)).until(() -> get("/readyz").statusCode() == 200);
    set(east, "conf:a", "1:t1:x");
    set(west, "conf:a", "1:t1:x");
    set(east, "conf:a", "2:t2:y");
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> JSON.readTree(get("/api/v1/incidents").body()).path("total").asInt() == 1);
    return JSON.readTree(get("/api/v1/incidents").body())
        .path("incidents")
        .path(0)
        .path("id")
        .asText();
  }

  private static void set(RedisProcess server, String key, String value) {
    try (RedisClient redis = RedisClient.create(server.uri())) {
      redis.connect().sync().set(key, value);
    }
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(base + path)).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String body) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(base + "/api/v1/controls"))
            .header("Content-Type", "application/json")
            .header("X-Restitch-Request", "1")
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }
}
