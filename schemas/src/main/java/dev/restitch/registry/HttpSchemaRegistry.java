package dev.restitch.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.restitch.config.ConfigException;
import dev.restitch.config.RegistryConfig;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;

/**
 * A registry that speaks Confluent's HTTP API. Each request has a timeout and is tried a few times
 * while the registry is unavailable, so a call takes seconds at most. Both ways are cached; ids
 * that the registry does not know are remembered for some seconds, so that a flood of poison
 * records does not become a flood of requests. Thread-safe.
 */
public final class HttpSchemaRegistry implements SchemaRegistry {

  static final Duration UNKNOWN_REMEMBERED = Duration.ofSeconds(10);
  private static final int CACHED = 1000;
  private static final int SUBJECT_NOT_FOUND = 40401;
  private static final int VERSION_NOT_FOUND = 40402;
  private static final int SCHEMA_NOT_FOUND = 40403;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final RegistryHttp http;
  private final BoundedCache<Registration, Integer> ids = new BoundedCache<>(CACHED);
  private final BoundedCache<Integer, Schema> schemas = new BoundedCache<>(CACHED);
  private final BoundedCache<Integer, Long> unknownSinceNanos = new BoundedCache<>(CACHED);

  private record Registration(String subject, Schema schema) {}

  /**
   * Does not connect yet.
   *
   * @throws ConfigException if the address is not an HTTP address
   */
  public HttpSchemaRegistry(RegistryConfig config) {
    this.http = new RegistryHttp(RegistryEndpoint.of(config));
  }

  @Override
  public int register(String subject, Schema schema) {
    return ids.get(new Registration(subject, schema), this::register);
  }

  private int register(Registration wanted) {
    RegistryReply reply =
        http.post("/subjects/" + segment(wanted.subject()) + "/versions", body(wanted.schema()));
    JsonNode id = reply.require("registering a schema under " + wanted.subject()).path("id");
    if (!id.isInt()) {
      throw reply.notUnderstood("registering a schema under " + wanted.subject());
    }
    return id.intValue();
  }

  @Override
  public Schema byId(int id) {
    Schema cached = schemas.peek(id);
    if (cached != null) {
      return cached;
    }
    Long unknownSince = unknownSinceNanos.peek(id);
    if (unknownSince != null && System.nanoTime() - unknownSince < UNKNOWN_REMEMBERED.toNanos()) {
      throw new SchemaNotFoundException(id, address());
    }
    return schemas.get(id, this::fetch);
  }

  private Schema fetch(int id) {
    String what = "reading schema " + id;
    RegistryReply reply = http.get("/schemas/ids/" + id);
    if (reply.errorCode() == SCHEMA_NOT_FOUND) {
      unknownSinceNanos.put(id, System.nanoTime());
      throw new SchemaNotFoundException(id, address());
    }
    JsonNode answer = reply.require(what);
    String type = answer.path("schemaType").asText("AVRO");
    if (!type.equals("AVRO")) {
      throw new SchemaNotFoundException(
          id, "schema id " + id + " at " + address() + " is a " + type + " schema, not Avro", null);
    }
    try {
      return SchemaText.parse(answer.path("schema").asText());
    } catch (SchemaParseException e) {
      throw reply.notUnderstood(what);
    }
  }

  @Override
  public boolean compatible(String subject, Schema schema) {
    RegistryReply reply =
        http.post("/compatibility/subjects/" + segment(subject) + "/versions/latest", body(schema));
    if (reply.errorCode() == SUBJECT_NOT_FOUND || reply.errorCode() == VERSION_NOT_FOUND) {
      return true;
    }
    return reply.require("checking a schema against " + subject).path("is_compatible").asBoolean();
  }

  @Override
  public boolean registered(String subject, Schema schema) {
    RegistryReply reply = http.post("/subjects/" + segment(subject), body(schema));
    if (reply.errorCode() == SUBJECT_NOT_FOUND || reply.errorCode() == SCHEMA_NOT_FOUND) {
      return false;
    }
    return reply
        .require("looking a schema up under " + subject)
        .path("subject")
        .asText()
        .equals(subject);
  }

  @Override
  public void ping() {
    http.get("/subjects").require("listing the subjects");
  }

  @Override
  public String address() {
    return http.address();
  }

  private static String body(Schema schema) {
    ObjectNode body = JSON.createObjectNode();
    body.put("schema", SchemaText.of(schema));
    return body.toString();
  }

  private static String segment(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
