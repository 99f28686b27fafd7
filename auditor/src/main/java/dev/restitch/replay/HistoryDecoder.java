package dev.restitch.replay;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.restitch.config.Relations;
import dev.restitch.judge.Evidence;
import dev.restitch.judge.Evidence.Op;
import dev.restitch.judge.Evidence.PlannedWrite;
import dev.restitch.judge.Evidence.Result;
import dev.restitch.judge.Reading;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes evidence of the lines of a history file (ARCHITECTURE.md, "The history file"). */
final class HistoryDecoder {

  /**
   * One line, understood.
   *
   * @param marker of an intent or of the observation of a marker; null: there is none
   * @param undeclared keys of no relation that it names beside others
   * @param contradiction true if it gives a stamp although the key is said to carry none
   */
  record Line(
      long number,
      long at,
      Kind kind,
      Set<String> instances,
      Evidence evidence,
      StoreKey marker,
      int undeclared,
      boolean contradiction) {

    private static Line of(long number, long at, Kind kind, Set<String> instances, Evidence e) {
      return new Line(number, at, kind, instances, e, null, 0, false);
    }

    private Line about(StoreKey markerKey) {
      return new Line(number, at, kind, instances, evidence, markerKey, undeclared, contradiction);
    }

    private Line with(int undeclaredKeys, boolean contradicts) {
      return new Line(number, at, kind, instances, evidence, marker, undeclaredKeys, contradicts);
    }
  }

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

  private final HistoryKeys keys;

  HistoryDecoder(Relations relations) {
    this.keys = new HistoryKeys(relations);
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
        case "end" -> Line.of(number, at, Kind.END, Set.of(), null);
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
    int undeclared = 0;
    for (JsonNode w : f.array("writes")) {
      HistoryFields wf = new HistoryFields(w);
      Bytes digest = wf.has("digest") ? HistoryReadings.digest(wf.text("digest")) : null;
      PlannedWrite write =
          new PlannedWrite(
              HistoryFields.enumOf(Op.class, wf.text("op"), "op"), wf.numberOrNull("ttl"), digest);
      Optional<Relations.Side> side = keys.side(wf.bytes("key"), wf.textOr("store", null));
      if (side.isPresent()) {
        once(writes, side.get().key(), write);
        instances.add(side.get().instance());
      } else {
        undeclared++;
      }
    }
    StoreKey marker = null;
    Long markerTtl = null;
    Stamp stamp = HistoryReadings.stamp(f);
    if (f.has("marker")) {
      HistoryFields m = new HistoryFields(f.object("marker"));
      marker = keys.markerOfIntent(m.bytes("key"), m.textOr("store", null), instances);
      markerTtl = m.numberOrNull("ttl");
    }
    Evidence e =
        new Evidence.IntentSeen(
            at, stamp, writes, marker, markerTtl, f.textOr("writer", null), -1, -1);
    return given(number, at, instances, e, undeclared).about(marker);
  }

  /** A key that is named twice must be named for the same. */
  private static <T> void once(Map<StoreKey, T> map, StoreKey key, T value) {
    T before = map.put(key, value);
    if (before != null && !before.equals(value)) {
      throw new IllegalArgumentException("key \"" + key.key() + "\" stands there twice, unlike");
    }
  }

  private static Line given(
      long number, long at, Set<String> instances, Evidence e, int undeclared) {
    return instances.isEmpty()
        ? Line.of(number, at, Kind.UNDECLARED, instances, e)
        : Line.of(number, at, Kind.INSTANCE, instances, e).with(undeclared, false);
  }

  private Line observation(long number, long at, HistoryFields f) {
    Bytes key = f.bytes("key");
    String store = f.textOr("store", null);
    String event = f.textOr("event", null);
    Optional<Relations.Side> side = keys.side(key, store);
    if (side.isPresent()) {
      Reading r = HistoryReadings.ofSide(side.get(), f);
      boolean urgent = "reader".equals(f.textOr("source", ""));
      Evidence e = new Evidence.Observed(at, r, event, urgent);
      return Line.of(number, at, Kind.INSTANCE, Set.of(side.get().instance()), e)
          .with(0, HistoryReadings.contradicts(r, f));
    }
    Optional<StoreKey> marker = keys.marker(key, store);
    if (marker.isPresent()) {
      Reading r = HistoryReadings.ofMarker(marker.get(), f);
      return Line.of(number, at, Kind.MARKER, Set.of(), new Evidence.Observed(at, r, event, false))
          .about(marker.get());
    }
    return Line.of(number, at, Kind.UNDECLARED, Set.of(), null);
  }

  private Line done(long number, long at, HistoryFields f) {
    Map<StoreKey, Result> results = new LinkedHashMap<>();
    Set<String> instances = new LinkedHashSet<>();
    int undeclared = 0;
    for (Map.Entry<String, JsonNode> entry : f.object("keys").properties()) {
      undeclared += take(keys.named(entry.getKey()), entry.getValue(), results, instances);
    }
    if (f.has("keys64")) {
      for (Map.Entry<String, JsonNode> entry : f.object("keys64").properties()) {
        undeclared += take(keys.named64(entry.getKey()), entry.getValue(), results, instances);
      }
    }
    Result marker = f.has("marker") ? doneMarker(f) : null;
    Evidence e = new Evidence.DoneSeen(at, HistoryReadings.stamp(f), results, marker);
    return given(number, at, instances, e, undeclared);
  }

  /** Takes what a done says of a key; returns how many keys of no relation that was. */
  private static int take(
      Optional<Relations.Side> side,
      JsonNode said,
      Map<StoreKey, Result> results,
      Set<String> instances) {
    Result result = HistoryFields.enumOf(Result.class, said.asText(), "keys");
    if (side.isEmpty()) {
      return 1;
    }
    results.put(side.get().key(), result);
    instances.add(side.get().instance());
    return 0;
  }

  /** A done's marker: ok, failed or unknown; true and false are understood too. */
  private static Result doneMarker(HistoryFields f) {
    if (f.isFlag("marker")) {
      return f.flagOr("marker", false) ? Result.OK : Result.FAILED;
    }
    return HistoryFields.enumOf(Result.class, f.text("marker"), "marker");
  }

  private Line snapshot(long number, long at, HistoryFields f) {
    Optional<String> instance = keys.instance(f.text("instance"));
    Map<StoreKey, Reading> readings = new LinkedHashMap<>();
    int undeclared = 0;
    boolean contradicts = false;
    for (JsonNode sideNode : f.array("sides")) {
      HistoryFields sf = new HistoryFields(sideNode);
      Bytes key = sf.bytes("key");
      String store = sf.textOr("store", null);
      Optional<Relations.Side> side = keys.side(key, store);
      Optional<StoreKey> marker = side.isPresent() ? Optional.empty() : keys.marker(key, store);
      if (side.isPresent()) {
        Reading r = HistoryReadings.ofSide(side.get(), sf);
        contradicts |= HistoryReadings.contradicts(r, sf);
        once(readings, r.key(), r);
      } else if (marker.isPresent()) {
        once(readings, marker.get(), HistoryReadings.ofMarker(marker.get(), sf));
      } else {
        undeclared++;
      }
    }
    boolean probe = "probe".equals(f.textOr("source", f.has("asked") ? "probe" : "sweep"));
    Evidence e =
        new Evidence.SnapshotSeen(
            at,
            probe ? f.numberOrNull("seq") : null,
            probe ? f.numberOrNull("asked") : null,
            f.flagOr("stable", true),
            List.copyOf(readings.values()),
            false);
    if (instance.isEmpty()) {
      return Line.of(number, at, Kind.UNDECLARED, Set.of(), e);
    }
    Kind kind = probe ? Kind.SNAPSHOT : Kind.INSTANCE;
    return Line.of(number, at, kind, Set.of(instance.get()), e).with(undeclared, contradicts);
  }

  private Line gap(long number, long at, HistoryFields f) {
    long from = f.number("from");
    long to = f.number("to");
    if (from > to) {
      throw new IllegalArgumentException("\"from\" is later than \"to\"");
    }
    String store = f.text("store");
    Evidence e = new Evidence.GapSeen(at, store, from, to, f.textOr("why", ""));
    Kind kind = keys.knowsStore(store) ? Kind.GAP : Kind.UNDECLARED;
    return Line.of(number, at, kind, Set.of(), e);
  }

  private Line outcome(long number, long at, HistoryFields f) {
    Optional<String> instance = keys.instance(f.text("instance"));
    Evidence e =
        new Evidence.OutcomeSeen(
            at,
            f.text("command"),
            (int) f.number("attempt"),
            HistoryFields.enumOf(Evidence.OutcomeKind.class, f.text("outcome"), "outcome"),
            f.textOr("detail", null));
    return given(number, at, instance.map(Set::of).orElse(Set.of()), e, 0);
  }
}
