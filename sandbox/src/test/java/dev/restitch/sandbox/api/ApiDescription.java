package dev.restitch.sandbox.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The OpenAPI description, as far as answers can be held against it. */
final class ApiDescription {

  private final JsonNode root;

  ApiDescription(String yaml) throws IOException {
    this.root = new YAMLMapper().readTree(yaml);
  }

  /** Each method and path, such as {@code get /api/v1/status}. */
  Set<String> operations() {
    Set<String> operations = new TreeSet<>();
    root.path("paths")
        .fields()
        .forEachRemaining(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(method -> operations.add(method + " " + path.getKey())));
    return operations;
  }

  /** What is wrong with an answer; empty: it is as described. */
  List<String> wrong(String path, String method, int status, JsonNode answer) {
    JsonNode response =
        resolved(
            root.path("paths")
                .path(path)
                .path(method)
                .path("responses")
                .path(Integer.toString(status)));
    List<String> wrong = new ArrayList<>();
    if (response.isMissingNode()) {
      wrong.add(method + " " + path + " answers " + status + ", which is not described");
      return wrong;
    }
    check(path, response.path("content").elements().next().path("schema"), answer, wrong);
    return wrong;
  }

  private void check(String at, JsonNode reference, JsonNode value, List<String> wrong) {
    JsonNode schema = resolved(reference);
    if (!typed(schema.path("type"), value)) {
      wrong.add(at + " is " + value.getNodeType() + ", not " + schema.path("type"));
      return;
    }
    if (value.isObject()) {
      schema
          .path("required")
          .forEach(
              name -> {
                if (!value.has(name.asText())) {
                  wrong.add(at + "." + name.asText() + " is missing");
                }
              });
      value
          .fields()
          .forEachRemaining(
              field -> {
                JsonNode property = schema.path("properties").path(field.getKey());
                if (property.isMissingNode()) {
                  wrong.add(at + "." + field.getKey() + " is not described");
                } else {
                  check(at + "." + field.getKey(), property, field.getValue(), wrong);
                }
              });
    } else if (value.isArray()) {
      value.forEach(item -> check(at + "[]", schema.path("items"), item, wrong));
    } else if (schema.has("enum") && !values(schema.path("enum")).contains(value.asText())) {
      wrong.add(at + " is " + value + ", none of " + schema.path("enum"));
    }
  }

  private JsonNode resolved(JsonNode node) {
    String reference = node.path("$ref").asText("");
    return reference.isEmpty() ? node : resolved(root.at(reference.substring(1)));
  }

  private static boolean typed(JsonNode type, JsonNode value) {
    Set<String> allowed = type.isArray() ? values(type) : Set.of(type.asText());
    return switch (value.getNodeType()) {
      case OBJECT -> allowed.contains("object");
      case ARRAY -> allowed.contains("array");
      case STRING -> allowed.contains("string");
      case BOOLEAN -> allowed.contains("boolean");
      case NULL -> allowed.contains("null");
      case NUMBER ->
          allowed.contains("number") || (value.isIntegralNumber() && allowed.contains("integer"));
      case BINARY, MISSING, POJO -> false;
    };
  }

  private static Set<String> values(JsonNode array) {
    Set<String> values = new TreeSet<>();
    array.forEach(item -> values.add(item.asText()));
    return values;
  }
}
