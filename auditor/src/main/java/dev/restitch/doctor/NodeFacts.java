package dev.restitch.doctor;

import dev.restitch.doctor.Right.Denial;
import java.util.List;
import java.util.Map;

/**
 * What was found out about one server.
 *
 * @param replica true: it is expected to be a replica of a cluster
 * @param info the fields of {@code INFO}; empty where it is not allowed
 */
record NodeFacts(
    StoreNeeds needs,
    ServerAddress address,
    boolean replica,
    Map<String, String> info,
    Settings settings,
    Listening listening,
    Rights rights,
    ClockReading clock) {

  NodeFacts {
    info = Map.copyOf(info);
  }

  /** The name that findings go by. */
  String where() {
    return needs.store().name() + " " + address;
  }

  String info(String field) {
    return info.getOrDefault(field, "");
  }

  /**
   * How a subscription to key events went.
   *
   * @param refused what the server said; null: it acknowledged
   * @param events key events that came while it stood
   */
  record Listening(List<String> channels, String refused, int events) {}

  /**
   * What the user may do.
   *
   * @param dryRun true: asked of the server without doing it; else the reading commands were tried,
   *     and nothing is known of those that write
   */
  record Rights(String user, boolean dryRun, List<Denial> denied) {}

  /**
   * A clock against this machine's.
   *
   * @param offsetMillis positive: it is ahead
   * @param uncertaintyMillis half of the time that the answer took
   */
  record ClockReading(long offsetMillis, long uncertaintyMillis) {

    /** How far it is off at least. */
    long atLeastMillis() {
      return Math.max(0, Math.abs(offsetMillis) - uncertaintyMillis);
    }
  }
}
