package dev.restitch.worker.apply;

import static dev.restitch.worker.apply.Script.ascii;

import dev.restitch.config.Relations.Side;
import dev.restitch.config.SideConfig;
import dev.restitch.model.Bytes;
import dev.restitch.stamp.Stamp;
import dev.restitch.writer.Expiry;
import dev.restitch.writer.HashFields;
import dev.restitch.writer.io.Stages;
import io.lettuce.core.RedisCommandExecutionException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The sides that are hashes: version and token are two of their fields, the rest is payload. */
final class HashSides {

  private static final Script COMPARE = Script.load("hash-compare.lua");

  private static final String LARGEST = Long.toString(Long.MAX_VALUE);

  private final Servers servers;

  HashSides(Servers servers) {
    this.servers = servers;
  }

  /** Asks by a script that writes nothing: whether it is there, and its stamp, in one step. */
  CompletionStage<Standing> read(Side side) {
    return run(side, "set", new Stamp(-1L, Bytes.EMPTY), null, Expiry.NONE, List.of())
        .thenApply(answer -> standing(side, answer));
  }

  CompletionStage<Held> hold(Side side) {
    byte[] key = side.key().key().toArray();
    return servers.on(
        side.key(),
        commands -> {
          CompletionStage<Map<byte[], byte[]>> all = commands.hgetall(key);
          CompletionStage<Long> ttl = commands.pttl(key);
          return all.thenCombine(ttl, (fields, left) -> held(side, fields, left))
              .exceptionallyCompose(HashSides::otherType);
        });
  }

  private static CompletionStage<Held> otherType(Throwable failure) {
    Throwable cause = Stages.cause(failure);
    return cause instanceof RedisCommandExecutionException
            && String.valueOf(cause.getMessage()).startsWith("WRONGTYPE")
        ? CompletableFuture.completedStage(new Held(new Standing(true, Optional.empty()), null, -1))
        : CompletableFuture.failedStage(cause);
  }

  private static Held held(Side side, Map<byte[], byte[]> read, long ttl) {
    if (read.isEmpty()) {
      return new Held(new Standing(false, Optional.empty()), null, ttl);
    }
    Map<Bytes, Bytes> fields = new HashMap<>();
    read.forEach((name, value) -> fields.put(Bytes.copyOf(name), Bytes.copyOf(value)));
    SideConfig config = config(side);
    Bytes version = take(fields, config.versionField());
    Bytes token = take(fields, config.tokenField());
    return new Held(
        new Standing(true, stamp(side, version, token)),
        new Payload.Fields(new HashFields(fields)),
        ttl);
  }

  private static Bytes take(Map<Bytes, Bytes> fields, String name) {
    Bytes value = name == null ? null : fields.remove(Bytes.utf8(name));
    return value == null ? Bytes.EMPTY : value;
  }

  CompletionStage<Change> compareAndSet(
      Side side, Expectation expected, Stamp target, HashFields payload, Expiry expiry) {
    List<byte[]> fields = new ArrayList<>();
    SideConfig config = config(side);
    payload
        .fields()
        .forEach(
            (name, value) -> {
              fields.add(name.toArray());
              fields.add(value.toArray());
            });
    // last, so that a field of the payload never stands for the stamp
    if (config.versionField() != null) {
      fields.add(utf8(config.versionField()));
      fields.add(ascii(target.version()));
    }
    if (config.tokenField() != null) {
      fields.add(utf8(config.tokenField()));
      fields.add(target.token().toArray());
    }
    return run(side, "set", target, expected, expiry, fields)
        .thenApply(
            answer ->
                Script.change(side, answer.get(0), standing(side, answer), Optional.of(target)));
  }

  CompletionStage<Change> compareAndDelete(Side side, Expectation expected) {
    return run(side, "del", new Stamp(0L, Bytes.EMPTY), expected, Expiry.NONE, List.of())
        .thenApply(
            answer -> Script.change(side, answer.get(0), standing(side, answer), Optional.empty()));
  }

  private CompletionStage<List<Object>> run(
      Side side,
      String operation,
      Stamp target,
      Expectation expected,
      Expiry expiry,
      List<byte[]> fields) {
    String kind = "nothing";
    Stamp stamp = new Stamp(null, Bytes.EMPTY);
    if (expected instanceof Expectation.Absent) {
      kind = "absent";
    } else if (expected instanceof Expectation.Stamped stamped) {
      kind = "stamp";
      stamp = stamped.stamp();
    }
    SideConfig config = config(side);
    List<byte[]> arguments = new ArrayList<>();
    arguments.add(ascii(operation));
    arguments.add(utf8(config.versionField()));
    arguments.add(utf8(config.tokenField()));
    arguments.add(version(target));
    arguments.add(target.token().toArray());
    arguments.add(ascii(kind));
    arguments.add(version(stamp));
    arguments.add(stamp.token().toArray());
    arguments.add(Script.word(expiry));
    arguments.add(ascii(expiry.millis()));
    arguments.addAll(fields);
    return COMPARE.run(servers, side, arguments.toArray(byte[][]::new));
  }

  private static Standing standing(Side side, List<Object> answer) {
    boolean present = (Long) answer.get(1) == 1;
    return new Standing(
        present,
        stamp(side, Bytes.copyOf((byte[]) answer.get(2)), Bytes.copyOf((byte[]) answer.get(3))));
  }

  /** The stamp of two fields; empty bytes stand for a field that is not there. */
  private static Optional<Stamp> stamp(Side side, Bytes version, Bytes token) {
    SideConfig config = config(side);
    Long number = null;
    if (config.versionField() != null) {
      number = number(version);
      if (number == null) {
        return Optional.empty();
      }
    }
    return config.tokenField() != null
            && (token.isEmpty() || token.length() > side.relation().stampLimit())
        ? Optional.empty()
        : Optional.of(new Stamp(number, token));
  }

  /** Decimal digits without leading zeros that fit a long; else null. */
  private static Long number(Bytes version) {
    String text = version.asUtf8().filter(t -> t.matches("0|[1-9][0-9]{0,18}")).orElse(null);
    boolean fits =
        text != null && (text.length() < LARGEST.length() || text.compareTo(LARGEST) <= 0);
    return fits ? Long.valueOf(text) : null;
  }

  private static byte[] version(Stamp stamp) {
    return ascii(stamp.version() == null ? "" : stamp.version());
  }

  private static byte[] utf8(String name) {
    return name == null ? Script.NOTHING : name.getBytes(StandardCharsets.UTF_8);
  }

  private static SideConfig config(Side side) {
    return side.relation().sides().get(side.index());
  }
}
