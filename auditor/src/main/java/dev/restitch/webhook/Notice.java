package dev.restitch.webhook;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.restitch.avro.Incident;
import dev.restitch.config.WebhookConfig;
import dev.restitch.model.Bytes;
import dev.restitch.model.Severity;
import dev.restitch.model.Verdict;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What is told of an incident, and when.
 *
 * @param what why it is told
 */
record Notice(What what, Severity severity, Incident incident) {

  /** Why an incident is told. */
  enum What {
    /** It was declared. */
    OPENED,

    /** No policy is left that could mend it: a person must. */
    STUCK,

    /** A snapshot shows it whole. */
    CLOSED
  }

  /**
   * What there is to tell of a record of the incident topic; empty: it only goes on. Suppressed
   * incidents are known, and not told.
   */
  static Optional<Notice> of(Incident i, WebhookConfig config) {
    Severity usual =
        Arrays.stream(Verdict.values())
            .filter(v -> v.name().equals(i.getVerdict()))
            .findFirst()
            .map(config::severity)
            .orElse(Severity.WARNING);
    return switch (i.getState()) {
      case REPAIRED, HEALED -> Optional.of(new Notice(What.CLOSED, usual, i));
      case MANUAL, FAILED -> Optional.of(new Notice(What.STUCK, Severity.CRITICAL, i));
      case OPEN, REPAIRING ->
          i.getDeclaredAtMillis() == i.getUpdatedAtMillis()
              ? Optional.of(new Notice(What.OPENED, usual, i))
              : Optional.empty();
      case SUPPRESSED, UNKNOWN -> Optional.empty();
    };
  }

  ObjectNode json() {
    ObjectNode o = JsonNodeFactory.instance.objectNode();
    o.put("event", what.name().toLowerCase(Locale.ROOT));
    o.put("severity", severity.name().toLowerCase(Locale.ROOT));
    o.put("id", incident.getId());
    o.put("instance", incident.getInstance());
    o.put("relation", incident.getRelation());
    o.put("verdict", incident.getVerdict());
    o.put("state", incident.getState().name());
    ArrayNode behind = o.putArray("behind");
    incident
        .getBehind()
        .forEach(k -> behind.add(k.getStore() + "/" + Bytes.copyOf(k.getKey()).toString()));
    o.put("rule", incident.getRule());
    o.put("action", incident.getAction());
    o.put("declaredAt", incident.getDeclaredAtMillis());
    o.put("updatedAt", incident.getUpdatedAtMillis());
    o.put("closedAt", incident.getClosedAtMillis());
    return o;
  }
}
