package dev.restitch.recorded;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.restitch.avro.Done;
import dev.restitch.avro.EvidenceSource;
import dev.restitch.avro.Gap;
import dev.restitch.avro.Intent;
import dev.restitch.avro.KeyState;
import dev.restitch.avro.Observation;
import dev.restitch.avro.Reading;
import dev.restitch.avro.RepairOutcome;
import dev.restitch.avro.Snapshot;
import dev.restitch.avro.Write;
import dev.restitch.avro.WriteResult;
import dev.restitch.model.Bytes;
import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;

/**
 * Writes records as the lines of a history file (ARCHITECTURE.md), which the replay reads. Payloads
 * are left out. Not thread-safe.
 */
public final class HistoryWriter implements RecordedTopics.Listener {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Writer out;

  /** Gaps come once a partition. */
  private final Set<String> gaps = new HashSet<>();

  private long lines;

  public HistoryWriter(Writer out) {
    this.out = out;
  }

  /** Lines written. */
  public long lines() {
    return lines;
  }

  /** Writes the last line, which lets time pass until then. */
  public void end(long at) throws IOException {
    write(line("end", at));
  }

  @Override
  public void take(SpecificRecord record, long at) throws IOException {
    if (record instanceof Intent r) {
      write(intent(r, at));
    } else if (record instanceof Done r) {
      write(done(r, at));
    } else if (record instanceof Observation r) {
      write(observation(r, at));
    } else if (record instanceof Snapshot r) {
      write(snapshot(r, at));
    } else if (record instanceof RepairOutcome r) {
      write(outcome(r, at));
    } else if (record instanceof Gap r) {
      if (gaps.add(r.getId())) {
        write(gap(r, at));
      }
    } else {
      throw new IllegalArgumentException("no line is known for " + record.getClass());
    }
  }

  private static ObjectNode line(String type, long at) {
    return JSON.createObjectNode().put("type", type).put("at", at);
  }

  private void write(ObjectNode line) throws IOException {
    out.write(line.toString());
    out.write('\n');
    lines++;
  }

  private static ObjectNode intent(Intent r, long at) {
    ObjectNode line = line("intent", at);
    stamp(line, r.getToken(), r.getVersion());
    ArrayNode writes = line.putArray("writes");
    for (Write w : r.getWrites()) {
      ObjectNode write = writes.addObject();
      key(write, w.getStore(), w.getKey());
      write.put("op", lower(w.getOp()));
      number(write, "ttl", w.getTtlMillis());
      digest(write, w.getDigest());
    }
    if (r.getMarker() != null) {
      ObjectNode marker = line.putObject("marker");
      key(marker, r.getMarker().getStore(), r.getMarker().getKey());
      number(marker, "ttl", r.getMarker().getTtlMillis());
    }
    if (r.getWriter() != null) {
      line.put("writer", r.getWriter().getApplication() + "@" + r.getWriter().getHost());
    }
    return line;
  }

  private static ObjectNode done(Done r, long at) {
    ObjectNode line = line("done", at);
    stamp(line, r.getToken(), r.getVersion());
    ObjectNode keys = line.putObject("keys");
    ObjectNode binary = JSON.createObjectNode();
    for (WriteResult w : r.getResults()) {
      Bytes key = Bytes.copyOf(w.getKey());
      Optional<String> text = key.asUtf8();
      if (text.isPresent()) {
        keys.put(w.getStore() + "/" + text.get(), lower(w.getResult()));
      } else {
        binary.put(w.getStore() + "/" + base64(key), lower(w.getResult()));
      }
    }
    if (!binary.isEmpty()) {
      line.set("keys64", binary);
    }
    if (r.getMarker() != null) {
      line.put("marker", lower(r.getMarker()));
    }
    return line;
  }

  private static ObjectNode observation(Observation r, long at) {
    ObjectNode line = line("observation", at);
    reading(line, r.getReading());
    if (r.getEvent() != null) {
      line.put("event", r.getEvent());
    }
    return line.put("source", lower(r.getSource()));
  }

  private static ObjectNode snapshot(Snapshot r, long at) {
    ObjectNode line = line("snapshot", at);
    number(line, "asked", r.getAskedAtMillis());
    number(line, "seq", r.getSeq());
    line.put("source", r.getSource() == EvidenceSource.PROBE ? "probe" : lower(r.getSource()))
        .put("instance", r.getInstance())
        .put("stable", r.getStable());
    ArrayNode sides = line.putArray("sides");
    r.getSides().forEach(side -> reading(sides.addObject(), side));
    return line;
  }

  private static ObjectNode gap(Gap r, long at) {
    return line("gap", at)
        .put("store", r.getStore())
        .put("node", r.getNode())
        .put("from", r.getFromMillis())
        .put("to", r.getToMillis())
        .put("why", r.getWhy());
  }

  private static ObjectNode outcome(RepairOutcome r, long at) {
    ObjectNode line =
        line("outcome", at)
            .put("instance", r.getInstance())
            .put("command", r.getCommand())
            .put("attempt", r.getAttempt())
            .put("outcome", r.getHold() == null ? r.getOutcome().name() : "HELD");
    if (r.getDetail() != null) {
      line.put("detail", r.getDetail());
    }
    return line;
  }

  private static void reading(ObjectNode node, Reading r) {
    key(node, r.getStore(), r.getKey());
    node.put("state", lower(r.getState()));
    if (r.getState() == KeyState.STAMPED) {
      if (r.getTokens() != null) {
        tokens(node, r.getTokens());
      } else {
        stamp(node, r.getToken(), r.getVersion());
      }
    }
    number(node, "expiresAt", r.getExpiresAtMillis());
    if (r.getPrimary() != null) {
      node.put("primary", r.getPrimary());
    }
    number(node, "length", r.getLength());
    digest(node, r.getDigest());
  }

  private static void tokens(ObjectNode node, List<ByteBuffer> tokens) {
    List<Bytes> all = tokens.stream().map(Bytes::copyOf).toList();
    boolean text = all.stream().allMatch(token -> token.asUtf8().isPresent());
    ArrayNode list = node.putArray(text ? "tokens" : "tokens64");
    all.forEach(token -> list.add(text ? token.asUtf8().orElseThrow() : base64(token)));
  }

  private static void stamp(ObjectNode node, ByteBuffer token, Long version) {
    number(node, "version", version);
    if (token != null) {
      bytes(node, "token", Bytes.copyOf(token));
    }
  }

  private static void key(ObjectNode node, String store, ByteBuffer key) {
    bytes(node.put("store", store), "key", Bytes.copyOf(key));
  }

  private static void bytes(ObjectNode node, String name, Bytes bytes) {
    Optional<String> text = bytes.asUtf8();
    if (text.isPresent()) {
      node.put(name, text.get());
    } else {
      node.put(name + "64", base64(bytes));
    }
  }

  private static String base64(Bytes bytes) {
    return Base64.getEncoder().encodeToString(bytes.toArray());
  }

  private static void digest(ObjectNode node, ByteBuffer digest) {
    if (digest != null) {
      node.put("digest", HexFormat.of().formatHex(Bytes.copyOf(digest).toArray()));
    }
  }

  private static void number(ObjectNode node, String name, Long value) {
    if (value != null) {
      node.put(name, value);
    }
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
