package dev.restitch.worker.apply;

import static dev.restitch.worker.apply.Script.ascii;

import dev.restitch.config.Relations.Side;
import dev.restitch.model.Bytes;
import dev.restitch.stamp.Stamp;
import dev.restitch.stamp.StampTemplate;
import dev.restitch.writer.Expiry;
import dev.restitch.writer.io.ServerScript;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The sides that are strings: the stamp stands before the payload. */
final class StringSides {

  private static final Script SET = Script.load("compare-and-set.lua");
  private static final Script DELETE = Script.load("compare-and-delete.lua");

  private final Servers servers;

  StringSides(Servers servers) {
    this.servers = servers;
  }

  CompletionStage<Standing> read(Side side) {
    byte[] key = side.key().key().toArray();
    long last = side.relation().stampLimit() - 1L;
    return servers.on(
        side.key(),
        commands -> {
          CompletionStage<byte[]> head = commands.getrange(key, 0, last);
          // an absent key and an empty value read alike
          CompletionStage<Long> exists = commands.exists(key);
          return otherType(head)
              .thenCombine(
                  exists, (bytes, count) -> Standing.of(count > 0, bytes, side.relation().stamp()));
        });
  }

  CompletionStage<Held> hold(Side side) {
    byte[] key = side.key().key().toArray();
    return servers.on(
        side.key(),
        commands -> {
          CompletionStage<byte[]> value = commands.get(key);
          CompletionStage<Long> ttl = commands.pttl(key);
          return otherType(value).thenCombine(ttl, (bytes, left) -> held(side, bytes, left));
        });
  }

  private static Held held(Side side, byte[] value, long ttl) {
    if (value == null) {
      return new Held(new Standing(false, Optional.empty()), null, ttl);
    }
    Optional<StampTemplate.Parsed> parsed = side.relation().stamp().read(value);
    int from = parsed.map(StampTemplate.Parsed::payloadOffset).orElse(0);
    return new Held(
        new Standing(true, parsed.map(StampTemplate.Parsed::stamp)),
        new Payload.Value(Bytes.copyOf(value, from, value.length - from)),
        ttl);
  }

  CompletionStage<Change> compareAndSet(
      Side side, Expectation expected, Stamp target, Bytes payload, Expiry expiry) {
    StampTemplate template = side.relation().stamp();
    return condition(side, expected)
        .thenCompose(
            condition ->
                SET.run(
                    servers,
                    side,
                    ascii(template.hasToken() ? "prefix" : "value"),
                    template.prefix(target),
                    ascii(condition.kind()),
                    condition.operand(),
                    template.write(target, payload.toArray()),
                    Script.word(expiry),
                    ascii(expiry.millis()),
                    ascii(side.relation().stampLimit())))
        .thenApply(answer -> change(side, answer, Optional.of(target)));
  }

  CompletionStage<Change> compareAndDelete(Side side, Expectation expected) {
    return condition(side, expected)
        .thenCompose(
            condition ->
                DELETE.run(
                    servers,
                    side,
                    ascii(condition.kind()),
                    condition.operand(),
                    ascii(side.relation().stampLimit())))
        .thenApply(answer -> change(side, answer, Optional.empty()));
  }

  /** What the scripts compare. */
  @SuppressWarnings("ArrayRecordComponent") // handed to the script as it is, never compared
  private record Condition(String kind, byte[] operand) {

    static final Condition NEVER = new Condition("nothing", Script.NOTHING);
  }

  private CompletionStage<Condition> condition(Side side, Expectation expected) {
    if (expected instanceof Expectation.Exact exact) {
      // Lua has SHA-1 only: the digest is checked here, and SHA-1 ties the script to what was read
      byte[] key = side.key().key().toArray();
      return servers.on(
          side.key(),
          commands ->
              otherType(commands.get(key))
                  .thenApply(
                      value ->
                          exact.matches(value)
                              ? new Condition("sha1", ascii(ServerScript.sha1Hex(value)))
                              : Condition.NEVER));
    }
    Condition condition = Condition.NEVER;
    if (expected instanceof Expectation.Stamped stamped) {
      condition = new Condition("prefix", side.relation().stamp().prefix(stamped.stamp()));
    } else if (expected instanceof Expectation.Absent) {
      condition = new Condition("absent", Script.NOTHING);
    }
    return CompletableFuture.completedStage(condition);
  }

  private static Change change(Side side, List<Object> answer, Optional<Stamp> target) {
    Standing before =
        Standing.of((Long) answer.get(1) == 1, (byte[]) answer.get(2), side.relation().stamp());
    return Script.change(side, answer.get(0), before, target);
  }

  /** A value of another type reads as one without a stamp. */
  private static CompletionStage<byte[]> otherType(CompletionStage<byte[]> value) {
    return value.exceptionallyCompose(
        failure ->
            failure instanceof RedisCommandExecutionException
                    && String.valueOf(failure.getMessage()).startsWith("WRONGTYPE")
                ? CompletableFuture.completedStage(Script.NOTHING)
                : CompletableFuture.failedStage(failure));
  }
}
