package dev.restitch.replay;

import dev.restitch.config.Relations;
import dev.restitch.judge.Reading;
import dev.restitch.judge.Reading.State;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Makes readings of the fields of a history line. */
final class HistoryReadings {

  private HistoryReadings() {}

  /** What one side looked like. */
  static Reading ofSide(Relations.Side side, HistoryFields f) {
    State state = HistoryFields.enumOf(State.class, f.text("state"), "state");
    if (state == State.PRESENT) {
      throw new IllegalArgumentException("\"state\" is present, which only a marker is");
    }
    boolean stamped = state == State.STAMPED;
    boolean log = side.relation().log();
    return reading(
        side.key(), state, stamped && !log ? stamp(f) : null, stamped && log ? tokens(f) : null, f);
  }

  /** Whether a marker was there. */
  static Reading ofMarker(StoreKey marker, HistoryFields f) {
    State state = HistoryFields.enumOf(State.class, f.text("state"), "state");
    if (state == State.STAMPED || state == State.UNSTAMPED) {
      throw new IllegalArgumentException(
          "\"state\" is " + f.text("state") + "; a marker is present or absent");
    }
    return reading(marker, state, null, null, f);
  }

  private static Reading reading(
      StoreKey key, State state, Stamp stamp, List<Bytes> tokens, HistoryFields f) {
    return new Reading(
        key,
        state,
        stamp,
        tokens,
        f.numberOrNull("expiresAt"),
        f.textOr("primary", null),
        f.numberOrNull("length"),
        f.has("digest") ? digest(f.text("digest")) : null,
        null);
  }

  /** True if a stamp is given although the key is said to carry none. */
  static boolean contradicts(Reading r, HistoryFields f) {
    return r.state() != State.STAMPED
        && (f.has("token") || f.has("token64") || f.has("version") || f.has("tokens"));
  }

  /**
   * The stamp that a line names.
   *
   * @throws IllegalArgumentException if it names none
   */
  static Stamp stamp(HistoryFields f) {
    Bytes token = f.bytesOrNull("token");
    Long version = f.numberOrNull("version");
    if (token == null && version == null) {
      throw new IllegalArgumentException("neither \"token\" nor \"version\" is there");
    }
    return new Stamp(version, token == null ? Bytes.EMPTY : token);
  }

  /** Digests are compared and shown in lower-case hex. */
  static Bytes digest(String hex) {
    return Bytes.utf8(hex.toLowerCase(Locale.ROOT));
  }

  private static List<Bytes> tokens(HistoryFields f) {
    List<Bytes> tokens = new ArrayList<>();
    if (f.has("tokens64")) {
      f.array("tokens64").forEach(t -> tokens.add(HistoryFields.base64(HistoryFields.text(t))));
    } else if (f.has("tokens")) {
      f.array("tokens").forEach(t -> tokens.add(Bytes.utf8(HistoryFields.text(t))));
    } else {
      tokens.add(f.bytes("token"));
    }
    return tokens;
  }
}
