package dev.restitch.sandbox.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Confluent's API over {@link Subjects}: a request in, what becomes JSON out. Thread-safe. */
final class RegistryRoutes {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Subjects subjects;

  /**
   * A request.
   *
   * @param path the decoded segments
   * @param defaultToGlobal the query parameter of that name
   */
  record Request(String method, List<String> path, boolean defaultToGlobal, String body) {

    String segment(int at) {
      return path.get(at);
    }

    boolean is(String wanted, String... pattern) {
      return method.equals(wanted) && matches(pattern);
    }

    boolean matches(String... pattern) {
      if (path.size() != pattern.length) {
        return false;
      }
      for (int i = 0; i < pattern.length; i++) {
        if (!pattern[i].equals("*") && !pattern[i].equals(path.get(i))) {
          return false;
        }
      }
      return true;
    }
  }

  RegistryRoutes(Subjects subjects) {
    this.subjects = subjects;
  }

  /**
   * The answer.
   *
   * @throws RegistryError for a refusal
   */
  Object answer(Request request) {
    if (request.path().isEmpty()) {
      return Map.of();
    }
    return switch (request.segment(0)) {
      case "subjects" -> subjects(request);
      case "schemas" -> schemas(request);
      case "compatibility" -> compatibility(request);
      case "config" -> config(request);
      default -> throw RegistryError.noSuchPath();
    };
  }

  private Object subjects(Request request) {
    if (request.is("GET", "subjects")) {
      return subjects.names();
    }
    if (request.is("POST", "subjects", "*")) {
      return full(subjects.find(request.segment(1), schemaIn(request)));
    }
    if (request.is("GET", "subjects", "*", "versions")) {
      return subjects.versions(request.segment(1));
    }
    if (request.is("POST", "subjects", "*", "versions")) {
      return Map.of("id", subjects.register(request.segment(1), schemaIn(request)));
    }
    if (request.is("GET", "subjects", "*", "versions", "*")) {
      return full(subjects.version(request.segment(1), request.segment(3)));
    }
    if (request.is("GET", "subjects", "*", "versions", "*", "schema")) {
      return parse(subjects.version(request.segment(1), request.segment(3)).schema());
    }
    throw refusal(request, 6);
  }

  private Object schemas(Request request) {
    if (request.is("GET", "schemas", "types")) {
      return List.of("AVRO");
    }
    if (request.is("GET", "schemas", "ids", "*")) {
      return Map.of("schema", subjects.schema(id(request)));
    }
    if (request.is("GET", "schemas", "ids", "*", "schema")) {
      return parse(subjects.schema(id(request)));
    }
    if (request.is("GET", "schemas", "ids", "*", "versions")) {
      return subjects.places(id(request)).stream()
          .map(place -> Map.of("subject", place.subject(), "version", place.version()))
          .toList();
    }
    throw refusal(request, 4);
  }

  private Object compatibility(Request request) {
    if (request.is("POST", "compatibility", "subjects", "*", "versions", "*")) {
      return compatible(request, request.segment(4));
    }
    if (request.is("POST", "compatibility", "subjects", "*", "versions")) {
      return compatible(request, null);
    }
    throw refusal(request, 5);
  }

  private Object compatible(Request request, String which) {
    boolean compatible = subjects.compatible(request.segment(2), which, schemaIn(request));
    return Map.of("is_compatible", compatible);
  }

  private Object config(Request request) {
    if (request.is("GET", "config")) {
      return Map.of("compatibilityLevel", subjects.global());
    }
    if (request.is("PUT", "config")) {
      CompatibilityLevel level = levelIn(request);
      subjects.setGlobal(level);
      return Map.of("compatibility", level);
    }
    if (request.is("GET", "config", "*")) {
      String subject = request.segment(1);
      return Map.of(
          "compatibilityLevel",
          request.defaultToGlobal() ? subjects.level(subject) : subjects.ownLevel(subject));
    }
    if (request.is("PUT", "config", "*")) {
      CompatibilityLevel level = levelIn(request);
      subjects.setLevel(request.segment(1), level);
      return Map.of("compatibility", level);
    }
    throw refusal(request, 2);
  }

  private static RegistryError refusal(Request request, int longestPath) {
    boolean read = request.method().equals("GET") || request.method().equals("POST");
    return read || request.path().size() > longestPath
        ? RegistryError.noSuchPath()
        : RegistryError.methodNotAllowed();
  }

  private static int id(Request request) {
    try {
      return Integer.parseInt(request.segment(2));
    } catch (NumberFormatException e) {
      throw RegistryError.noSuchPath();
    }
  }

  private static String schemaIn(Request request) {
    JsonNode body = parse(request.body());
    String type = body.path("schemaType").asText("AVRO");
    if (!type.equals("AVRO")) {
      throw RegistryError.invalidSchema("schema type " + type + " is not served");
    }
    if (!body.path("references").isEmpty()) {
      throw RegistryError.invalidSchema("references are not served");
    }
    if (!body.path("schema").isTextual()) {
      throw RegistryError.invalidSchema("the body has no text 'schema'");
    }
    return body.path("schema").textValue();
  }

  private static CompatibilityLevel levelIn(Request request) {
    String name = parse(request.body()).path("compatibility").asText("");
    try {
      return CompatibilityLevel.valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw RegistryError.invalidLevel();
    }
  }

  private static Object full(Subjects.Version version) {
    return Map.of(
        "subject", version.subject(),
        "version", version.version(),
        "id", version.id(),
        "schema", version.schema());
  }

  private static JsonNode parse(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw RegistryError.badRequest("the body is not JSON");
    }
  }
}
