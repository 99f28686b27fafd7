package dev.restitch.replay;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.restitch.config.Relations;
import dev.restitch.judge.Incident;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import java.io.IOException;
import java.io.Writer;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** An incident as one line of JSON (ARCHITECTURE.md, "The history file"). */
public final class IncidentJson {

  private static final JsonFactory FACTORY = new JsonFactory();

  private IncidentJson() {}

  /** A generator that appends to the builder. */
  public static JsonGenerator generator(StringBuilder out) throws IOException {
    return FACTORY.createGenerator(
        new Writer() {
          @Override
          public void write(char[] buffer, int offset, int length) {
            out.append(buffer, offset, length);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        });
  }

  /** Writes one incident. */
  public static void write(
      JsonGenerator json, String instance, Incident incident, Relations relations)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("instance", instance);
    json.writeStringField("verdict", incident.verdict.name());
    if (incident.stamp != null) {
      token(json, incident.stamp.token());
      if (incident.stamp.version() != null) {
        json.writeNumberField("version", incident.stamp.version());
      }
    }
    json.writeArrayFieldStart("behind");
    for (StoreKey key : incident.behind) {
      json.writeString(name(key, relations));
    }
    json.writeEndArray();
    bytes(json, incident.behind);
    json.writeNumberField("at", incident.declaredAt);
    json.writeStringField("state", incident.phase.name());
    json.writeStringField("action", incident.action);
    if (incident.fromObservations) {
      json.writeStringField("basis", "observations");
    }
    json.writeEndObject();
  }

  /** Where a key is not UTF-8, all of them in base64, too: what is behind is for people then. */
  private static void bytes(JsonGenerator json, List<StoreKey> behind) throws IOException {
    if (behind.stream().allMatch(k -> k.key().asUtf8().isPresent())) {
      return;
    }
    json.writeArrayFieldStart("behind64");
    for (StoreKey key : behind) {
      json.writeString(Base64.getEncoder().encodeToString(key.key().toArray()));
    }
    json.writeEndArray();
  }

  private static void token(JsonGenerator json, Bytes token) throws IOException {
    Optional<String> text = token.asUtf8();
    if (text.isEmpty()) {
      json.writeStringField("token64", Base64.getEncoder().encodeToString(token.toArray()));
    } else if (!token.isEmpty()) {
      json.writeStringField("token", text.get());
    }
  }

  /** A key's name; with its store in front where the key stands in two. */
  public static String name(StoreKey key, Relations relations) {
    String text = key.key().asUtf8().orElseGet(key.key()::toString);
    return inTwoStores(key, relations) ? key.store() + "/" + text : text;
  }

  /** The names of several keys, for people: what is not printable is escaped. */
  public static String names(List<StoreKey> keys, Relations relations) {
    return String.join(
        ", ",
        keys.stream()
            .map(k -> inTwoStores(k, relations) ? k.toString() : k.key().toString())
            .toList());
  }

  private static boolean inTwoStores(StoreKey key, Relations relations) {
    return relations.resolveInAnyStore(key.key()).size() > 1;
  }
}
