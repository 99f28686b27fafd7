package dev.restitch.cli;

import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.replay.Replay;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a replay declares beside what was declared live: an incident is the same if instance,
 * verdict, token and keys behind are.
 */
final class Differences {

  private final List<String> onlyNow = new ArrayList<>();
  private final List<String> onlyLive;
  private int same;

  Differences(List<Replay.Found> now, List<dev.restitch.avro.Incident> live) {
    this.onlyLive = new ArrayList<>(live.stream().map(Differences::name).toList());
    for (Replay.Found found : now) {
      String name = name(found);
      if (onlyLive.remove(name)) {
        same++;
      } else {
        onlyNow.add(name);
      }
    }
  }

  /** True if the replay declares what was declared, and nothing else. */
  boolean none() {
    return onlyNow.isEmpty() && onlyLive.isEmpty();
  }

  void print(PrintWriter err) {
    err.printf(
        "beside what was declared live: %d the same, %d only now, %d only then%n",
        same, onlyNow.size(), onlyLive.size());
    onlyNow.forEach(line -> err.println("  only now:  " + line));
    onlyLive.forEach(line -> err.println("  only then: " + line));
    err.flush();
  }

  private static String name(Replay.Found found) {
    String token = found.incident().stamp == null ? "" : found.incident().stamp.token().toString();
    return line(found.instance(), found.incident().verdict.name(), token, found.incident().behind);
  }

  private static String name(dev.restitch.avro.Incident live) {
    return line(
        live.getInstance(),
        live.getVerdict(),
        live.getToken() == null ? "" : Bytes.copyOf(live.getToken()).toString(),
        live.getBehind().stream()
            .map(key -> new StoreKey(key.getStore(), Bytes.copyOf(key.getKey())))
            .toList());
  }

  private static String line(String instance, String verdict, String token, List<StoreKey> behind) {
    return instance
        + " "
        + verdict
        + " token "
        + (token.isEmpty() ? "-" : token)
        + " behind "
        + behind.stream().map(StoreKey::toString).collect(Collectors.joining(", "));
  }
}
