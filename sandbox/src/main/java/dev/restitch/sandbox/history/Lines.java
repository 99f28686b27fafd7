package dev.restitch.sandbox.history;

import java.util.List;

/** The lines of a history (ARCHITECTURE.md, "The history file"). Stateless. */
final class Lines {

  private Lines() {}

  /** What one side carries: a stamp; null token: absent. {@code version} may be null. */
  record Held(String key, Long version, String token) {}

  static String intent(long at, String token, Long version, List<String> writes, String marker) {
    StringBuilder b = head("intent", at, token, version);
    b.append(",\"writes\":[");
    for (int i = 0; i < writes.size(); i++) {
      b.append(i == 0 ? "" : ",").append("{\"key\":\"").append(writes.get(i));
      b.append("\",\"op\":\"put\"}");
    }
    b.append(']');
    if (marker != null) {
      b.append(",\"marker\":{\"key\":\"").append(marker).append("\",\"ttl\":3600000}");
    }
    return b.append('}').toString();
  }

  static String done(long at, String token, Long version, List<String> keys, boolean marker) {
    StringBuilder b = head("done", at, token, version);
    b.append(",\"keys\":{");
    for (int i = 0; i < keys.size(); i++) {
      b.append(i == 0 ? "" : ",").append('"').append(keys.get(i)).append("\":\"ok\"");
    }
    return b.append(marker ? "},\"marker\":\"ok\"}" : "}}").toString();
  }

  static String set(long at, Held held) {
    StringBuilder b = head("observation", at, held.token(), held.version());
    b.append(",\"key\":\"").append(held.key());
    return b.append("\",\"event\":\"set\",\"state\":\"stamped\"}").toString();
  }

  static String unstamped(long at, String key) {
    return look(at, key, "set", "unstamped");
  }

  static String gone(long at, String key, String event) {
    return look(at, key, event, "absent");
  }

  static String marker(long at, String key) {
    return look(at, key, "set", "present");
  }

  private static String look(long at, String key, String event, String state) {
    return "{\"type\":\"observation\",\"at\":"
        + at
        + ",\"key\":\""
        + key
        + "\",\"event\":\""
        + event
        + "\",\"state\":\""
        + state
        + "\"}";
  }

  static String snapshot(long at, long asked, String instance, List<Held> sides) {
    StringBuilder b = new StringBuilder(200);
    b.append("{\"type\":\"snapshot\",\"at\":").append(at).append(",\"asked\":").append(asked);
    b.append(",\"source\":\"probe\",\"instance\":\"").append(instance);
    b.append("\",\"stable\":true,\"sides\":[");
    for (int i = 0; i < sides.size(); i++) {
      Held side = sides.get(i);
      b.append(i == 0 ? "" : ",").append("{\"key\":\"").append(side.key()).append("\",\"state\":");
      if (side.token() == null) {
        b.append("\"absent\"}");
      } else {
        b.append("\"stamped\",\"token\":\"").append(side.token()).append('"');
        b.append(side.version() == null ? "" : ",\"version\":" + side.version()).append('}');
      }
    }
    return b.append("]}").toString();
  }

  static String end(long at) {
    return "{\"type\":\"end\",\"at\":" + at + "}";
  }

  private static StringBuilder head(String type, long at, String token, Long version) {
    StringBuilder b = new StringBuilder(160);
    b.append("{\"type\":\"").append(type).append("\",\"at\":").append(at);
    b.append(",\"token\":\"").append(token).append('"');
    return version == null ? b : b.append(",\"version\":").append(version);
  }
}
