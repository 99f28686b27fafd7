package dev.restitch.replay;

import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** Writes a history line by line and replays it. */
final class HistoryText {

  private final StringBuilder lines = new StringBuilder();
  private final RestitchConfig config;

  HistoryText(String yaml) {
    this.config = ConfigLoader.parse(yaml, Map.of());
  }

  static HistoryText ofCases() {
    try {
      return new HistoryText(Files.readString(Path.of("src/test/resources/cases/relations.yaml")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  HistoryText line(String json) {
    lines.append(json).append('\n');
    return this;
  }

  HistoryText intent(long at, String token, long version, String... keys) {
    StringJoiner writes = new StringJoiner(",");
    for (String key : keys) {
      String op = key.startsWith("-") ? "delete" : "put";
      writes.add("{\"key\":\"" + key.replaceFirst("^-", "") + "\",\"op\":\"" + op + "\"}");
    }
    return line(
        "{\"type\":\"intent\",\"at\":%d,\"token\":\"%s\",\"version\":%d,\"writes\":[%s]}"
            .formatted(at, token, version, writes));
  }

  HistoryText seen(long at, String key, String token, long version) {
    return line(
        ("{\"type\":\"observation\",\"at\":%d,\"key\":\"%s\",\"event\":\"set\",\"state\":"
                + "\"stamped\",\"token\":\"%s\",\"version\":%d}")
            .formatted(at, key, token, version));
  }

  HistoryText gone(long at, String key, String event) {
    return line(
        "{\"type\":\"observation\",\"at\":%d,\"key\":\"%s\",\"event\":\"%s\",\"state\":\"absent\"}"
            .formatted(at, key, event));
  }

  List<Replay.Found> end(long at) {
    line("{\"type\":\"end\",\"at\":%d}".formatted(at));
    return replay();
  }

  List<Replay.Found> replay() {
    return run(new Replay(config));
  }

  ReplayTotals totals(long at) {
    line("{\"type\":\"end\",\"at\":%d}".formatted(at));
    Replay replay = new Replay(config);
    run(replay);
    return replay.totals();
  }

  private List<Replay.Found> run(Replay replay) {
    try {
      Path file = Files.createTempFile("history", ".jsonl");
      try {
        Files.writeString(file, lines);
        return replay.run(file, null, bytes -> {});
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
