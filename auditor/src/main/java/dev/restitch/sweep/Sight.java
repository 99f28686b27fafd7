package dev.restitch.sweep;

import dev.restitch.avro.KeyState;
import dev.restitch.avro.Reading;
import dev.restitch.model.Bytes;
import dev.restitch.stamp.Stamp;
import java.util.List;

/**
 * What a sweep compares of one side.
 *
 * @param state a marker's {@code PRESENT} never stands here
 * @param stamp null unless stamped by a single stamp
 * @param tokens of a log, oldest first; null for other sides
 */
record Sight(KeyState state, Stamp stamp, List<Bytes> tokens) {

  static final Sight ABSENT = new Sight(KeyState.ABSENT, null, null);
  static final Sight UNSTAMPED = new Sight(KeyState.UNSTAMPED, null, null);
  static final Sight UNREADABLE = new Sight(KeyState.UNREADABLE, null, null);

  static Sight stamped(Stamp stamp) {
    return new Sight(KeyState.STAMPED, stamp, null);
  }

  static Sight log(List<Bytes> tokens) {
    return new Sight(KeyState.STAMPED, null, List.copyOf(tokens));
  }

  static Sight of(Reading reading) {
    return switch (reading.getState()) {
      case ABSENT -> ABSENT;
      case UNSTAMPED -> UNSTAMPED;
      case UNREADABLE, PRESENT -> UNREADABLE;
      case STAMPED ->
          reading.getTokens() != null
              ? log(reading.getTokens().stream().map(Bytes::copyOf).toList())
              : stamped(
                  new Stamp(
                      reading.getVersion(),
                      reading.getToken() == null ? Bytes.EMPTY : Bytes.copyOf(reading.getToken())));
    };
  }

  boolean is(KeyState wanted) {
    return state == wanted;
  }
}
