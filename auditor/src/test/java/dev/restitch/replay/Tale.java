package dev.restitch.replay;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.restitch.config.ConfigLoader;
import dev.restitch.config.Relations;
import dev.restitch.config.RestitchConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A history in few words, one line an event, which becomes the JSON lines of a history file:
 *
 * <pre>
 * 1000 intent 7:t1 user:1:profile user:1:settings~delete~ttl=60000 marker=txn:t1:committed~ttl=5000
 * 1010 set user:1:profile 7:t1~expires=9000~primary=p1~digest=ab
 * 1020 expired user:1:settings absent
 * 1600 done 7:t1 user:1:profile=ok user:1:settings=unknown marker=ok
 * 3100 probe user/1 asked=3010 user:1:profile=7:t1 user:1:settings=6:t0
 * 3200 sweep user/1 user:1:profile=unstamped
 * 3300 gap east 2900 3200
 * 3400 outcome user/1 5f0c 1 APPLIED
 * 9000 end
 * </pre>
 *
 * A stamp is {@code version:token}, {@code token} or {@code version:}; the window of a log is
 * {@code [a,b,c]}; {@code store@key} names a store; {@code read} is an observation by a reader;
 * every other word is the event of an observation, {@code seen} one without.
 */
final class Tale {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final RestitchConfig config;
  private final StringBuilder lines = new StringBuilder();

  private Tale(String yaml) {
    this.config = ConfigLoader.parse(yaml, Map.of());
  }

  /** Over the relations of {@code replay/relations.yaml}. */
  static Tale of(String text) {
    return of(Map.of(), text);
  }

  /** The same, with texts of the configuration replaced. */
  static Tale of(Map<String, String> replaced, String text) {
    String yaml = relations();
    for (Map.Entry<String, String> r : replaced.entrySet()) {
      if (!yaml.contains(r.getKey())) {
        throw new IllegalArgumentException("not in the configuration: " + r.getKey());
      }
      yaml = yaml.replace(r.getKey(), r.getValue());
    }
    return new Tale(yaml).tell(text);
  }

  /** The same, with a line added to the declaration of one relation. */
  static Tale with(String relation, String added, String text) {
    return of(Map.of("  " + relation + ":\n", "  " + relation + ":\n    " + added + "\n"), text);
  }

  static String relations() {
    try {
      return Files.readString(Path.of("src/test/resources/replay/relations.yaml"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Tale tell(String text) {
    text.lines().map(String::strip).filter(l -> !l.isEmpty()).forEach(this::line);
    return this;
  }

  /** A line of JSON as it is. */
  Tale raw(String json) {
    lines.append(json).append('\n');
    return this;
  }

  String history() {
    return lines.toString();
  }

  Relations relationsOfConfig() {
    return config.resolver();
  }

  /** What is found: {@code at instance VERDICT stamp behind STATE action}. */
  List<String> found() {
    return replay().stream().map(this::brief).toList();
  }

  /** Only the verdicts, in the order of the incidents. */
  List<String> verdicts() {
    return replay().stream().map(f -> f.incident().verdict.name()).toList();
  }

  List<Replay.Found> replay() {
    return run(new Replay(config));
  }

  ReplayTotals totals() {
    Replay replay = new Replay(config);
    run(replay);
    return replay.totals();
  }

  private List<Replay.Found> run(Replay replay) {
    try {
      Path file = Files.createTempFile("tale", ".jsonl");
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

  private String brief(Replay.Found f) {
    String behind =
        f.incident().behind.stream()
            .map(k -> IncidentJson.name(k, config.resolver()))
            .collect(Collectors.joining(","));
    return f.incident().declaredAt
        + " "
        + f.instance()
        + " "
        + f.incident().verdict
        + " "
        + f.incident().stamp
        + " "
        + behind
        + " "
        + f.incident().phase
        + " "
        + f.incident().action;
  }

  private void line(String line) {
    List<String> words = Arrays.asList(line.split(" +"));
    ObjectNode json = JSON.createObjectNode();
    String word = words.get(1);
    List<String> rest = words.subList(2, words.size());
    switch (word) {
      case "intent" -> intent(json, rest);
      case "done" -> done(json, rest);
      case "probe", "sweep" -> snapshot(json, word, rest);
      case "gap" -> {
        json.put("type", "gap").put("store", rest.get(0)).put("node", "localhost:7001");
        json.put("from", Long.parseLong(rest.get(1))).put("to", Long.parseLong(rest.get(2)));
        json.put("why", "disconnect");
      }
      case "outcome" -> {
        json.put("type", "outcome").put("instance", rest.get(0)).put("command", rest.get(1));
        json.put("attempt", Integer.parseInt(rest.get(2))).put("outcome", rest.get(3));
      }
      case "end" -> json.put("type", "end");
      default -> {
        json.put("type", "observation");
        if (word.equals("read")) {
          json.put("source", "reader");
        } else if (!word.equals("seen")) {
          json.put("event", word);
        }
        key(json, rest.get(0));
        value(json, rest.get(1));
      }
    }
    json.put("at", Long.parseLong(words.get(0)));
    raw(json.toString());
  }

  private static void intent(ObjectNode json, List<String> rest) {
    json.put("type", "intent");
    stamp(json, rest.get(0));
    ArrayNode writes = json.putArray("writes");
    for (String word : rest.subList(1, rest.size())) {
      boolean marker = word.startsWith("marker=");
      ObjectNode w = marker ? json.putObject("marker") : writes.addObject();
      String[] parts = word.replaceFirst("^marker=", "").split("~");
      key(w, parts[0]);
      String op = "put";
      for (String part : Arrays.asList(parts).subList(1, parts.length)) {
        if (part.startsWith("ttl=")) {
          w.put("ttl", Long.parseLong(part.substring(4)));
        } else if (part.startsWith("digest=")) {
          w.put("digest", part.substring(7));
        } else {
          op = part;
        }
      }
      if (!marker) {
        w.put("op", op);
      }
    }
  }

  private static void done(ObjectNode json, List<String> rest) {
    json.put("type", "done");
    stamp(json, rest.get(0));
    ObjectNode keys = json.putObject("keys");
    for (String word : rest.subList(1, rest.size())) {
      int eq = word.indexOf('=');
      if (word.startsWith("marker=")) {
        json.put("marker", word.substring(7));
      } else {
        keys.put(word.substring(0, eq), word.substring(eq + 1));
      }
    }
  }

  private static void snapshot(ObjectNode json, String word, List<String> rest) {
    json.put("type", "snapshot").put("source", word).put("instance", rest.get(0));
    ArrayNode sides = JSON.createArrayNode();
    boolean stable = true;
    for (String part : rest.subList(1, rest.size())) {
      int eq = part.indexOf('=');
      if (part.equals("unstable")) {
        stable = false;
      } else if (part.startsWith("asked=")) {
        json.put("asked", Long.parseLong(part.substring(6)));
      } else {
        ObjectNode side = sides.addObject();
        key(side, part.substring(0, eq));
        value(side, part.substring(eq + 1));
      }
    }
    json.put("stable", stable).set("sides", sides);
  }

  private static void key(ObjectNode json, String word) {
    int at = word.indexOf('@');
    if (at >= 0) {
      json.put("store", word.substring(0, at));
    }
    json.put("key", word.substring(at + 1));
  }

  private static void value(ObjectNode json, String word) {
    String[] parts = word.split("~");
    switch (parts[0]) {
      case "absent", "unstamped", "present", "unreadable" -> json.put("state", parts[0]);
      default -> {
        json.put("state", "stamped");
        if (parts[0].startsWith("[")) {
          ArrayNode tokens = json.putArray("tokens");
          Arrays.stream(parts[0].replaceAll("[\\[\\]]", "").split(","))
              .filter(t -> !t.isEmpty())
              .forEach(tokens::add);
        } else {
          stamp(json, parts[0]);
        }
      }
    }
    for (String part : Arrays.asList(parts).subList(1, parts.length)) {
      String text = part.substring(part.indexOf('=') + 1);
      switch (part.substring(0, part.indexOf('='))) {
        case "expires" -> json.put("expiresAt", Long.parseLong(text));
        case "primary" -> json.put("primary", text);
        case "digest" -> json.put("digest", text);
        default -> throw new IllegalArgumentException(part);
      }
    }
  }

  private static void stamp(ObjectNode json, String word) {
    int colon = word.indexOf(':');
    if (colon >= 0) {
      json.put("version", Long.parseLong(word.substring(0, colon)));
    }
    if (colon < word.length() - 1) {
      json.put("token", word.substring(colon + 1));
    }
  }
}
