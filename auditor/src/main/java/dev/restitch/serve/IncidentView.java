package dev.restitch.serve;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.restitch.avro.Incident;
import dev.restitch.avro.Reading;
import dev.restitch.model.Bytes;
import java.nio.ByteBuffer;

/** An incident as the API shows it. Never a payload. */
final class IncidentView {

  private IncidentView() {}

  static ObjectNode brief(Incident i) {
    ObjectNode o = JsonNodeFactory.instance.objectNode();
    o.put("id", i.getId());
    o.put("instance", i.getInstance());
    o.put("verdict", i.getVerdict());
    o.put("state", i.getState().name());
    o.put("token", text(i.getToken()));
    o.put("version", i.getVersion());
    ArrayNode behind = o.putArray("behind");
    i.getBehind().forEach(k -> behind.add(k.getStore() + "/" + text(k.getKey())));
    o.put("action", i.getAction());
    o.put("declaredAt", i.getDeclaredAtMillis());
    o.put("updatedAt", i.getUpdatedAtMillis());
    o.put("closedAt", i.getClosedAtMillis());
    o.put("attempts", i.getAttempts());
    o.put("lastOutcome", i.getLastOutcome());
    return o;
  }

  static ObjectNode full(Incident i) {
    ObjectNode o = brief(i);
    o.put("relation", i.getRelation());
    o.put("rule", i.getRule());
    o.put("suspectedAt", i.getSuspectedAtMillis());
    o.put("dueAt", i.getDueAtMillis());
    ArrayNode evidence = o.putArray("evidence");
    i.getEvidence().forEach(r -> evidence.add(reading(r)));
    ArrayNode timeline = o.putArray("timeline");
    i.getTimeline()
        .forEach(
            t ->
                timeline
                    .addObject()
                    .put("at", t.getAtMillis())
                    .put("what", t.getWhat())
                    .put("detail", t.getDetail()));
    return o;
  }

  private static ObjectNode reading(Reading r) {
    ObjectNode o = JsonNodeFactory.instance.objectNode();
    o.put("key", r.getStore() + "/" + text(r.getKey()));
    o.put("state", r.getState().name());
    o.put("token", text(r.getToken()));
    o.put("version", r.getVersion());
    o.put("expiresAt", r.getExpiresAtMillis());
    o.put("length", r.getLength());
    return o;
  }

  private static String text(ByteBuffer bytes) {
    return bytes == null ? null : Bytes.copyOf(bytes).toString();
  }
}
