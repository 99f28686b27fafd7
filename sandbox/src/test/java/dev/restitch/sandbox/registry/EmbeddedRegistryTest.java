package dev.restitch.sandbox.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.restitch.avro.Gap;
import dev.restitch.config.RegistryConfig;
import dev.restitch.config.TopicsConfig;
import dev.restitch.registry.HttpSchemaRegistry;
import dev.restitch.registry.RegistryRefusedException;
import dev.restitch.registry.RegistryUnavailableException;
import dev.restitch.registry.SchemaNotFoundException;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.registry.SchemaText;
import dev.restitch.serde.AvroSerde;
import dev.restitch.serde.ContractSchemas;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serde;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EmbeddedRegistryTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Schema V1 = SchemaBuilder.record("R").fields().requiredLong("a").endRecord();
  private static final Schema V2 =
      SchemaBuilder.record("R").fields().requiredLong("a").optionalLong("b").endRecord();
  private static final Schema BREACH =
      SchemaBuilder.record("R").fields().requiredLong("a").requiredLong("c").endRecord();

  private final HttpClient http = HttpClient.newHttpClient();
  private EmbeddedRegistry server;
  private SchemaRegistry client;

  private record Reply(int status, String type, JsonNode body) {

    int error() {
      return body.path("error_code").asInt();
    }
  }

  @BeforeEach
  void start() throws IOException {
    server = EmbeddedRegistry.start();
    client = open();
  }

  @AfterEach
  void stop() {
    server.close();
    server.close();
  }

  @Test
  void shouldServeTheClient() {
    client.ping();
    int id = client.register("s/with space", V1);

    assertThat(open().register("s/with space", V1)).isEqualTo(id);
    assertThat(open().register("other", V1)).isEqualTo(id);
    assertThat(open().byId(id)).isEqualTo(V1);
    assertThat(client.compatible("s/with space", V2)).isTrue();
    assertThat(client.compatible("s/with space", BREACH)).isFalse();
    assertThat(client.compatible("unheard-of", BREACH)).isTrue();
    assertThat(client.register("s/with space", V2)).isEqualTo(id + 1);
    assertThatThrownBy(() -> client.register("s/with space", BREACH))
        .isInstanceOfSatisfying(
            RegistryRefusedException.class, e -> assertThat(e.errorCode()).isEqualTo(409));
    assertThatThrownBy(() -> client.byId(99)).isInstanceOf(SchemaNotFoundException.class);
  }

  @Test
  void shouldTakeAndServeTheWholeContract() throws Exception {
    ContractSchemas.register(client, new TopicsConfig("restitch", 1, 1));
    Gap gap = new Gap("id", "east", "h:1", 0L, 5L, "disconnect");

    Serde<SpecificRecord> writer = AvroSerde.of(open());
    Serde<SpecificRecord> reader = AvroSerde.of(open());
    byte[] value = writer.serializer().serialize("restitch-gaps", gap);

    assertThat(reader.deserializer().deserialize("restitch-gaps", value)).isEqualTo(gap);
    assertThat(get("/subjects").body()).hasSize(13);
  }

  @Test
  void shouldAnswerAsConfluentsDoes() throws Exception {
    int id = client.register("s", V1);
    client.register("s", V2);

    Reply latest = get("/subjects/s/versions/latest");
    assertThat(latest.status()).isEqualTo(200);
    assertThat(latest.type()).isEqualTo("application/vnd.schemaregistry.v1+json");
    assertThat(latest.body().path("subject").asText()).isEqualTo("s");
    assertThat(latest.body().path("version").asInt()).isEqualTo(2);
    assertThat(latest.body().path("id").asInt()).isEqualTo(id + 1);
    assertThat(SchemaText.parse(latest.body().path("schema").asText())).isEqualTo(V2);
    assertThat(get("/subjects/s/versions").body().toString()).isEqualTo("[1,2]");
    assertThat(get("/subjects/s/versions/1").body().path("id").asInt()).isEqualTo(id);
    assertThat(get("/subjects/s/versions/1/schema").body().path("name").asText()).isEqualTo("R");
    assertThat(get("/schemas/ids/" + id + "/versions").body().toString())
        .contains("\"subject\":\"s\"")
        .contains("\"version\":1");
    assertThat(get("/schemas/types").body().toString()).isEqualTo("[\"AVRO\"]");
    assertThat(send("POST", "/subjects/s", schema(V1)).body().path("version").asInt()).isEqualTo(1);
    assertThat(send("POST", "/compatibility/subjects/s/versions", schema(V1)).body().toString())
        .isEqualTo("{\"is_compatible\":true}");
  }

  @Test
  void shouldRefuseWithConfluentsErrorCodes() throws Exception {
    client.register("s", V1);

    assertThat(get("/subjects/none/versions").error()).isEqualTo(40401);
    assertThat(get("/subjects/s/versions/9").error()).isEqualTo(40402);
    assertThat(get("/schemas/ids/9").error()).isEqualTo(40403);
    assertThat(send("POST", "/subjects/none", schema(V1)).error()).isEqualTo(40401);
    assertThat(send("POST", "/subjects/s", schema(V2)).error()).isEqualTo(40403);
    assertThat(send("POST", "/subjects/s/versions", "{\"schema\":\"{\"}").error()).isEqualTo(42201);
    assertThat(send("POST", "/subjects/s/versions", "{}").error()).isEqualTo(42201);
    assertThat(get("/subjects/s/versions/zero").error()).isEqualTo(42202);
    assertThat(send("PUT", "/config", "{\"compatibility\":\"SIDEWAYS\"}").error()).isEqualTo(42203);
    assertThat(get("/config/s").error()).isEqualTo(40408);
    assertThat(send("POST", "/subjects/s/versions", "not json").status()).isEqualTo(400);
    assertThat(send("POST", "/subjects/s/versions", "x".repeat(1024 * 1024 + 1)).status())
        .isEqualTo(400);
    assertThat(get("/nowhere").status()).isEqualTo(404);
    assertThat(send("DELETE", "/subjects/s", "").status()).isEqualTo(405);
  }

  @Test
  void shouldCheckByTheLevelThatIsSet() throws Exception {
    client.register("s", V1);
    assertThat(get("/config").body().toString()).isEqualTo("{\"compatibilityLevel\":\"BACKWARD\"}");

    assertThat(send("PUT", "/config/s", "{\"compatibility\":\"NONE\"}").body().toString())
        .isEqualTo("{\"compatibility\":\"NONE\"}");

    assertThat(get("/config/s").body().path("compatibilityLevel").asText()).isEqualTo("NONE");
    assertThat(get("/config/t?defaultToGlobal=true").body().path("compatibilityLevel").asText())
        .isEqualTo("BACKWARD");
    assertThat(client.register("s", BREACH)).isEqualTo(2);
  }

  @Test
  void shouldCompareWithEveryVersionWhereTheLevelIsTransitive() {
    Schema lost = SchemaBuilder.record("R").fields().endRecord();
    Subjects subjects = new Subjects();
    subjects.register("s", V1.toString());
    subjects.register("s", lost.toString());
    Schema retyped = SchemaBuilder.record("R").fields().optionalString("a").endRecord();

    assertThat(subjects.compatible("s", null, retyped.toString())).isTrue();
    subjects.setLevel("s", CompatibilityLevel.BACKWARD_TRANSITIVE);
    assertThat(subjects.compatible("s", null, retyped.toString())).isFalse();
    subjects.setLevel("s", CompatibilityLevel.FORWARD);
    assertThat(subjects.compatible("s", null, V1.toString())).isTrue();
  }

  @Test
  void shouldBeUnavailableAfterItIsClosed() {
    server.close();

    assertThatThrownBy(client::ping)
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessageContaining(server.url());
  }

  private SchemaRegistry open() {
    return new HttpSchemaRegistry(new RegistryConfig(server.url(), "restitch", null, null));
  }

  private static String schema(Schema schema) {
    return JSON.createObjectNode().put("schema", schema.toString()).toString();
  }

  private Reply get(String path) throws Exception {
    return send("GET", path, "");
  }

  private Reply send(String method, String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + path))
            .method(method, BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
    return new Reply(
        response.statusCode(),
        response.headers().firstValue("Content-Type").orElse(null),
        JSON.readTree(response.body()));
  }
}
