package dev.restitch.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * What a registry answered.
 *
 * @param status HTTP status
 * @param address the registry, without credentials
 */
record RegistryReply(int status, String body, String address) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int LONGEST_QUOTE = 300;

  /** The answer's JSON if the status says success, else a clear refusal. */
  JsonNode require(String what) {
    if (status / 100 != 2) {
      throw refused(what);
    }
    JsonNode tree = tree();
    if (tree == null) {
      throw notUnderstood(what);
    }
    return tree;
  }

  /** For an answer that does not look like a registry's. */
  RegistryRefusedException notUnderstood(String what) {
    return new RegistryRefusedException(
        what
            + ": the answer of "
            + address
            + " is not a schema registry's (HTTP "
            + status
            + "); check registry.url, path included",
        status,
        0);
  }

  /** Confluent's error code, such as 40403; 0 if there is none. */
  int errorCode() {
    JsonNode tree = status / 100 == 2 ? null : tree();
    return tree == null ? 0 : tree.path("error_code").asInt(0);
  }

  private RegistryRefusedException refused(String what) {
    JsonNode tree = tree();
    int code = errorCode();
    String said = tree == null ? "" : tree.path("message").asText("");
    if (said.length() > LONGEST_QUOTE) {
      said = said.substring(0, LONGEST_QUOTE) + " ...";
    }
    String refusal =
        what
            + " was refused by "
            + address
            + ": HTTP "
            + status
            + (code == 0 ? "" : ", error " + code)
            + (said.isEmpty() ? "" : ", " + said.replaceAll("\\s+", " "));
    String advice =
        switch (status) {
          case 401, 403 -> "; check registry.username and registry.password, and their rights";
          case 404 -> code == 0 ? "; check registry.url, path included" : "";
          case 409 -> "; the schema is not compatible with the versions that the subject has";
          default -> "";
        };
    return new RegistryRefusedException(refusal + advice, status, code);
  }

  private JsonNode tree() {
    try {
      JsonNode tree = JSON.readTree(body);
      return tree == null || tree.isMissingNode() ? null : tree;
    } catch (JsonProcessingException e) {
      return null;
    }
  }
}
