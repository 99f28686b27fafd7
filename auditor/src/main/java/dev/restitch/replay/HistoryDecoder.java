package dev.restitch.replay;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.restitch.config.RelationConfig;
import dev.restitch.config.Relations;
import dev.restitch.judge.Evidence;
import dev.restitch.judge.Evidence.Op;
import dev.restitch.judge.Evidence.PlannedWrite;
import dev.restitch.judge.Evidence.Result;
import dev.restitch.judge.Reading;
import dev.restitch.judge.Reading.State;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes evidence of the lines of a history file (ARCHITECTURE.md, "The history file"). */
final class HistoryDecoder {

  /** One line, understood. */
  record Line(
      long number, long at, Kind kind, Set<String> instances, Evidence evidence, StoreKey marker) {}

  /** What a line is. */
  enum Kind {
    INSTANCE,
    MARKER,
    SNAPSHOT,
    GAP,
    END,
    UNDECLARED
  }

  /** Keys of stores are field names in a done: a table of known names would only grow. */
  private static final ObjectMapper JSON =
      new ObjectMapper(
              JsonFactory.builder()
                  .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                  .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);

  private final Relations relations;

  HistoryDecoder(Relations relations) {
    this.relations = relations;
  }

  /**
   * Understands a line.
   *
   * @throws HistoryException if it is broken
   */
  Line decode(long number, String text) {
    try {
      JsonNode node = JSON.readTree(text);
      if (node == null || !node.isObject()) {
        throw new IllegalArgumentException("not a JSON object");
      }
      HistoryFields f = new HistoryFields(node);
      String type = f.text("type");
      long at = f.number("at");
      return switch (type) {
        case "intent" -> intent(number, at, f);
        case "observation" -> observation(number, at, f);
        case "done" -> done(number, at, f);
        case "snapshot" -> snapshot(number, at, f);
        case "gap" -> gap(number, at, f);
        case "outcome" -> outcome(number, at, f);
        case "end" -> new Line(number, at, Kind.END, Set.of(), null, null);
        default ->
            throw new IllegalArgumentException(
                "unknown type \""
                    + type
                    + "\"; known are intent, observation, done, snapshot, gap, outcome, end");
      };
    } catch (JsonProcessingException e) {
      throw new HistoryException(number, "not JSON: " + e.getOriginalMessage());
    } catch (IllegalArgumentException e) {
      throw new HistoryException(number, e.getMessage());
    }
  }

  private Line intent(long number, long at, HistoryFields f) {
    Map<StoreKey, PlannedWrite> writes = new LinkedHashMap<>();
    Set<String> instances = new LinkedHashSet<>();
    for (JsonNode w : f.array("writes")) {
      HistoryFields wf = new HistoryFields(w);
      Optional<Relations.Side> side = side(wf.bytes("key"), wf.textOr("store", null));
      if (side.isPresent()) {
        Bytes digest = wf.has("digest") ? Bytes.utf8(lower(wf.text("digest"))) : null;
        PlannedWrite write =
            new PlannedWrite(enumOf(Op.class, wf.text("op"), "op"), wf.numberOrNull("ttl"), digest);
        writes.put(side.get().key(), write);
        instances.add(side.get().instance());
      }
    }
    StoreKey marker = null;
    Long markerTtl = null;
    Stamp stamp = stamp(f);
    if (f.has("marker")) {
      HistoryFields m = new HistoryFields(f.object("marker"));
      marker = markerKey(m.bytes("key"), m.textOr("store", null), instances);
      markerTtl = m.numberOrNull("ttl");
    }
    Evidence e =
        new Evidence.IntentSeen(
            at, stamp, writes, marker, markerTtl, f.textOr("writer", null), -1, -1);
    Kind kind = instances.isEmpty() ? Kind.UNDECLARED : Kind.INSTANCE;
    return new Line(number, at, kind, instances, e, marker);
  }

  private StoreKey markerKey(Bytes key, String store, Set<String> instances) {
    if (store != null) {
      return new StoreKey(store, key);
    }
    for (String instance : instances) {
      RelationConfig relation = relations.ofInstance(instance).orElseThrow();
      if (relation.marker() != null) {
        return new StoreKey(relation.marker().store(), key);
      }
    }
    return markerOf(key, null)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no relation of the configuration has a marker like \"" + key + "\""));
  }

  private Optional<StoreKey> markerOf(Bytes key, String store) {
    for (RelationConfig r : relations.all()) {
      if (r.marker() != null
          && (store == null || store.equals(r.marker().store()))
          && r.marker().key().match(key).isPresent()) {
        return Optional.of(new StoreKey(r.marker().store(), key));
      }
    }
    return Optional.empty();
  }

  private Line observation(long number, long at, HistoryFields f) {
    Bytes key = f.bytes("key");
    String store = f.textOr("store", null);
    Optional<Relations.Side> side = side(key, store);
    String event = f.textOr("event", null);
    if (side.isPresent()) {
      Reading r = reading(side.get().key(), side.get().relation(), f);
      boolean urgent = "reader".equals(f.textOr("source", ""));
      return new Line(
          number,
          at,
          Kind.INSTANCE,
          Set.of(side.get().instance()),
          new Evidence.Observed(at, r, event, urgent),
          null);
    }
    Optional<StoreKey> marker = markerOf(key, store);
    if (marker.isPresent()) {
      Reading r = reading(marker.get(), null, f);
      return new Line(
          number,
          at,
          Kind.MARKER,
          Set.of(),
          new Evidence.Observed(at, r, event, false),
          marker.get());
    }
    return new Line(number, at, Kind.UNDECLARED, Set.of(), null, null);
  }

  private Line done(long number, long at, HistoryFields f) {
    Map<StoreKey, Result> results = new LinkedHashMap<>();
    Set<String> instances = new LinkedHashSet<>();
    JsonNode keys = f.object("keys");
    for (Map.Entry<String, JsonNode> entry : keys.properties()) {
      Result result = enumOf(Result.class, entry.getValue().asText(), "keys");
      Optional<Relations.Side> side = side(Bytes.utf8(entry.getKey()), null);
      if (side.isPresent()) {
        results.put(side.get().key(), result);
        instances.add(side.get().instance());
      }
    }
    Result marker = null;
    if (f.has("marker")) {
      marker = doneMarker(f);
    }
    Kind kind = instances.isEmpty() ? Kind.UNDECLARED : Kind.INSTANCE;
    return new Line(
        number, at, kind, instances, new Evidence.DoneSeen(at, stamp(f), results, marker), null);
  }

  /** A done's marker: ok, failed or unknown; true and false are understood too. */
  private static Result doneMarker(HistoryFields f) {
    try {
      return enumOf(Result.class, f.text("marker"), "marker");
    } catch (IllegalArgumentException e) {
      return f.flagOr("marker", false) ? Result.OK : Result.FAILED;
    }
  }

  private Line snapshot(long number, long at, HistoryFields f) {
    String instance = f.text("instance");
    if (relations.ofInstance(instance).isEmpty()) {
      return new Line(number, at, Kind.UNDECLARED, Set.of(), null, null);
    }
    List<Reading> readings = new ArrayList<>();
    for (JsonNode sideNode : f.array("sides")) {
      HistoryFields sf = new HistoryFields(sideNode);
      Bytes key = sf.bytes("key");
      String store = sf.textOr("store", null);
      Optional<Relations.Side> side = side(key, store);
      if (side.isPresent()) {
        readings.add(reading(side.get().key(), side.get().relation(), sf));
      } else {
        markerOf(key, store).ifPresent(k -> readings.add(reading(k, null, sf)));
      }
    }
    boolean probe = "probe".equals(f.textOr("source", f.has("asked") ? "probe" : "sweep"));
    Evidence e =
        new Evidence.SnapshotSeen(
            at,
            probe ? f.numberOrNull("seq") : null,
            probe ? f.numberOrNull("asked") : null,
            f.flagOr("stable", true),
            readings,
            false);
    return new Line(number, at, probe ? Kind.SNAPSHOT : Kind.INSTANCE, Set.of(instance), e, null);
  }

  private static Line gap(long number, long at, HistoryFields f) {
    Evidence e =
        new Evidence.GapSeen(
            at, f.text("store"), f.number("from"), f.number("to"), f.textOr("why", ""));
    return new Line(number, at, Kind.GAP, Set.of(), e, null);
  }

  private Line outcome(long number, long at, HistoryFields f) {
    String instance = f.text("instance");
    Evidence e =
        new Evidence.OutcomeSeen(
            at,
            f.text("command"),
            (int) f.number("attempt"),
            enumOf(Evidence.OutcomeKind.class, f.text("outcome"), "outcome"),
            f.textOr("detail", null));
    boolean known = relations.ofInstance(instance).isPresent();
    return new Line(
        number,
        at,
        known ? Kind.INSTANCE : Kind.UNDECLARED,
        known ? Set.of(instance) : Set.of(),
        e,
        null);
  }

  private static Stamp stamp(HistoryFields f) {
    Bytes token = f.bytesOrNull("token");
    Long version = f.numberOrNull("version");
    if (token == null && version == null) {
      throw new IllegalArgumentException("neither \"token\" nor \"version\" is there");
    }
    return new Stamp(version, token == null ? Bytes.EMPTY : token);
  }

  private static Reading reading(StoreKey key, RelationConfig relation, HistoryFields f) {
    State state = enumOf(State.class, f.text("state"), "state");
    Stamp stamp = null;
    List<Bytes> tokens = null;
    boolean log = relation != null && relation.log();
    if (state == State.STAMPED && log) {
      tokens = tokens(f);
    } else if (state == State.STAMPED) {
      stamp = stamp(f);
    }
    return new Reading(
        key,
        state,
        stamp,
        tokens,
        f.numberOrNull("expiresAt"),
        f.textOr("primary", null),
        f.numberOrNull("length"),
        f.has("digest") ? Bytes.utf8(lower(f.text("digest"))) : null,
        null);
  }

  private static List<Bytes> tokens(HistoryFields f) {
    List<Bytes> tokens = new ArrayList<>();
    if (f.has("tokens64")) {
      f.array("tokens64").forEach(t -> tokens.add(HistoryFields.base64(t.asText())));
    } else if (f.has("tokens")) {
      f.array("tokens").forEach(t -> tokens.add(Bytes.utf8(t.asText())));
    } else {
      tokens.add(f.bytes("token"));
    }
    return tokens;
  }

  private Optional<Relations.Side> side(Bytes key, String store) {
    if (store != null) {
      return relations.resolve(store, key);
    }
    List<Relations.Side> sides = relations.resolveInAnyStore(key);
    if (sides.size() > 1) {
      throw new IllegalArgumentException(
          "key \"" + key + "\" stands in several stores; the line must name its \"store\"");
    }
    return sides.stream().findFirst();
  }

  private static <E extends Enum<E>> E enumOf(Class<E> type, String text, String field) {
    for (E value : type.getEnumConstants()) {
      if (value.name().equalsIgnoreCase(text) && !"unknown".equals(lower(value.name()))) {
        return value;
      }
      if (value.name().equalsIgnoreCase(text) && type == Result.class) {
        return value;
      }
    }
    throw new IllegalArgumentException(
        "\"" + field + "\" is \"" + text + "\", which is none of the known values");
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
