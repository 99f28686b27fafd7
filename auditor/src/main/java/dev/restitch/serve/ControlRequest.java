package dev.restitch.serve;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.restitch.avro.Incident;
import dev.restitch.config.RestitchConfig;
import dev.restitch.control.Directive;
import dev.restitch.control.Proposal;
import dev.restitch.control.Scope;
import dev.restitch.control.Setting;
import java.util.Optional;
import java.util.function.Function;

/**
 * What somebody asks to be set, checked: it names stores, relations and incidents that exist.
 *
 * @param apply false: only say what it would do
 */
record ControlRequest(Directive directive, boolean apply) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Reads a request.
   *
   * @param incidents finds an incident by its id
   * @throws IllegalArgumentException with what is wrong
   */
  static ControlRequest read(
      String body,
      RestitchConfig config,
      Function<String, Optional<Incident>> incidents,
      long atMillis) {
    JsonNode json;
    try {
      json = JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the body is not JSON", e);
    }
    String name = text(json, "setting");
    Setting setting =
        Setting.of(name)
            .orElseThrow(() -> new IllegalArgumentException("no such setting: " + name));
    if (setting == Setting.BLIND) {
      throw new IllegalArgumentException("blind is set by auditors only, from what they see");
    }
    Scope scope = scope(text(json, "scope"), incidents);
    requireKnown(scope, config);
    String value = text(json, "value");
    if (setting == Setting.APPROVE && value.isEmpty()) {
      value = proposed(incident(scope, incidents));
    }
    Directive directive =
        new Directive(setting, scope, value, text(json, "owner"), text(json, "cause"), atMillis);
    return new ControlRequest(directive.validated(), json.path("apply").asBoolean(false));
  }

  private static String text(JsonNode json, String field) {
    return json.path(field).asText("");
  }

  /** {@code incident:ID} is enough: the instance is looked up. */
  private static Scope scope(String text, Function<String, Optional<Incident>> incidents) {
    String prefix = "incident:";
    if (text.startsWith(prefix)) {
      String id = text.substring(text.lastIndexOf('#') + 1).replace(prefix, "");
      Incident incident =
          incidents
              .apply(id)
              .orElseThrow(() -> new IllegalArgumentException("no incident " + id + " is known"));
      return Scope.incident(incident.getInstance(), id);
    }
    return Scope.parse(text);
  }

  private static Incident incident(Scope scope, Function<String, Optional<Incident>> incidents) {
    return Optional.of(scope)
        .filter(s -> s.kind() == Scope.Kind.INCIDENT)
        .flatMap(s -> incidents.apply(s.name().substring(s.name().indexOf('#') + 1)))
        .orElseThrow(() -> new IllegalArgumentException("approve needs an incident"));
  }

  private static String proposed(Incident incident) {
    if (incident.getAction().equals("report")) {
      throw new IllegalArgumentException(
          "incident " + incident.getId() + " is only reported; there is no repair to approve");
    }
    return Proposal.approvable(incident.getVerdict(), incident.getAction());
  }

  private static void requireKnown(Scope scope, RestitchConfig config) {
    switch (scope.kind()) {
      case STORE, NODE -> {
        String store = scope.store().orElseThrow();
        if (!config.stores().containsKey(store)) {
          throw new IllegalArgumentException(
              "no store " + store + " is configured; there are " + config.stores().keySet());
        }
      }
      case RELATION -> requireRelation(scope.name(), config);
      case RULE -> requireRelation(scope.name().substring(0, scope.name().indexOf('/')), config);
      case EVERYWHERE, INCIDENT -> {}
    }
  }

  private static void requireRelation(String relation, RestitchConfig config) {
    if (!config.relations().containsKey(relation)) {
      throw new IllegalArgumentException(
          "no relation " + relation + " is configured; there are " + config.relations().keySet());
    }
  }
}
