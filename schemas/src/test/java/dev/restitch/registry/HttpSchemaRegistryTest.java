package dev.restitch.registry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.restitch.avro.Gap;
import dev.restitch.config.RegistryConfig;
import dev.restitch.config.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The client against answers that a well-behaved registry does not give. */
class HttpSchemaRegistryTest {

  private record Answer(int status, String body) {}

  private record Asked(String line, String authorization, String body) {}

  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private SchemaRegistry registry;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          asked.add(
              new Asked(
                  exchange.getRequestMethod() + " " + exchange.getRequestURI().getRawPath(),
                  exchange.getRequestHeaders().getFirst("Authorization"),
                  body));
          Answer answer = answers.remove();
          byte[] bytes = answer.body().getBytes(UTF_8);
          exchange.sendResponseHeaders(answer.status(), bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    registry = open("http://127.0.0.1:" + server.getAddress().getPort() + "/base/");
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void shouldRegisterOnceWithCredentialsAndWithoutJavasProperties() {
    answers.add(new Answer(200, "{\"id\":42}"));

    assertThat(registry.register("a topic/x-value", Gap.getClassSchema())).isEqualTo(42);
    assertThat(registry.register("a topic/x-value", Gap.getClassSchema())).isEqualTo(42);

    assertThat(asked).hasSize(1);
    assertThat(asked.get(0).line()).isEqualTo("POST /base/subjects/a%20topic%2Fx-value/versions");
    assertThat(asked.get(0).authorization()).isEqualTo("Basic bWU6aHVudGVyMg==");
    assertThat(asked.get(0).body()).contains("dev.restitch.avro").doesNotContain("avro.java");
  }

  @Test
  void shouldReadASchemaOnce() {
    answers.add(new Answer(200, "{\"schema\":\"\\\"string\\\"\"}"));

    assertThat(registry.byId(3).getType().getName()).isEqualTo("string");
    assertThat(registry.byId(3).getType().getName()).isEqualTo("string");
    assertThat(asked).hasSize(1);
  }

  @Test
  void shouldNotAskAgainAtOnceForAnUnknownId() {
    answers.add(new Answer(404, "{\"error_code\":40403,\"message\":\"Schema not found\"}"));

    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() -> registry.byId(3)).isInstanceOf(SchemaNotFoundException.class);
    }
    assertThat(asked).hasSize(1);
  }

  @Test
  void shouldTryAgainWhileTheRegistryCannot() {
    answers.add(new Answer(503, ""));
    answers.add(new Answer(500, "{\"error_code\":50001,\"message\":\"store\"}"));
    answers.add(new Answer(200, "{\"id\":1}"));

    assertThat(registry.register("s", Gap.getClassSchema())).isEqualTo(1);
  }

  @Test
  void shouldSayThatItIsUnavailableAfterAFewTries() {
    for (int i = 0; i < 3; i++) {
      answers.add(new Answer(503, ""));
    }
    assertThatThrownBy(() -> registry.byId(1))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessageContaining("127.0.0.1")
        .hasMessageContaining("HTTP 503");
    assertThat(asked).hasSize(3);
  }

  @Test
  void shouldGoToTheNextAddressWhereOneDoesNotAnswer() {
    answers.add(new Answer(200, "[]"));
    String live = "http://127.0.0.1:" + server.getAddress().getPort();

    open("http://127.0.0.1:1," + live).ping();

    assertThat(asked).hasSize(1);
  }

  @Test
  void shouldNameCredentialsAsTheThingToCheck() {
    answers.add(new Answer(401, "{\"error_code\":401,\"message\":\"Unauthorized\"}"));

    assertThatThrownBy(registry::ping)
        .isInstanceOf(RegistryRefusedException.class)
        .hasMessageContaining("HTTP 401")
        .hasMessageContaining("check registry.username and registry.password")
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void shouldSayThatASchemaIsIncompatible() {
    answers.add(new Answer(409, "{\"error_code\":409,\"message\":\"incompatible\"}"));

    assertThatThrownBy(() -> registry.register("s", Gap.getClassSchema()))
        .isInstanceOfSatisfying(
            RegistryRefusedException.class, e -> assertThat(e.status()).isEqualTo(409))
        .hasMessageContaining("not compatible with the versions that the subject has");
  }

  @Test
  void shouldTellARegisteredSchemaFromOneThatIsNot() {
    answers.add(new Answer(200, "{\"subject\":\"s\",\"id\":7,\"version\":1}"));
    answers.add(new Answer(404, "{\"error_code\":40401,\"message\":\"no such subject\"}"));
    answers.add(new Answer(404, "{\"error_code\":40403,\"message\":\"no such schema\"}"));

    assertThat(registry.registered("s", Gap.getClassSchema())).isTrue();
    assertThat(registry.registered("s", Gap.getClassSchema())).isFalse();
    assertThat(registry.registered("s", Gap.getClassSchema())).isFalse();
    assertThat(asked).extracting(Asked::line).containsOnly("POST /base/subjects/s");
  }

  @Test
  void shouldNotTakeAWebPageForAnAnswer() {
    answers.add(new Answer(200, "<html>hello</html>"));
    answers.add(new Answer(404, "<html>not here</html>"));
    answers.add(new Answer(200, "{\"hello\":1}"));

    assertThatThrownBy(registry::ping)
        .isInstanceOf(RegistryRefusedException.class)
        .hasMessageContaining("is not a schema registry's");
    assertThatThrownBy(() -> registry.byId(1))
        .isInstanceOf(RegistryRefusedException.class)
        .hasMessageContaining("check registry.url, path included");
    assertThatThrownBy(() -> registry.register("s", Gap.getClassSchema()))
        .isInstanceOf(RegistryRefusedException.class);
  }

  @Test
  void shouldRefuseSchemasThatAreNotAvro() {
    answers.add(new Answer(200, "{\"schemaType\":\"PROTOBUF\",\"schema\":\"syntax\"}"));

    assertThatThrownBy(() -> registry.byId(5))
        .isInstanceOf(SchemaNotFoundException.class)
        .hasMessageContaining("PROTOBUF");
  }

  private static SchemaRegistry open(String url) {
    return new HttpSchemaRegistry(new RegistryConfig(url, "restitch", "me", new Secret("hunter2")));
  }
}
