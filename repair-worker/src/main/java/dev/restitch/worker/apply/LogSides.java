package dev.restitch.worker.apply;

import static dev.restitch.worker.apply.Script.ascii;

import dev.restitch.config.Relations.Side;
import dev.restitch.config.SideType;
import dev.restitch.model.Bytes;
import dev.restitch.stamp.Stamp;
import dev.restitch.stamp.StampTemplate;
import dev.restitch.writer.Expiry;
import io.lettuce.core.ScoredValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The sides that are append-only logs: lists and sorted sets of stamped entries. */
final class LogSides {

  /**
   * Newest entries that are looked at before one is appended: many times the prober's window, so
   * that a log may grow between the look and the repair.
   */
  static final int TAIL = 512;

  private static final Script APPEND = Script.load("append-once.lua");
  private static final Script WITHDRAW = Script.load("withdraw-entry.lua");

  private final Servers servers;

  LogSides(Servers servers) {
    this.servers = servers;
  }

  CompletionStage<Standing> read(Side log) {
    return servers.on(
        log.key(),
        commands ->
            commands
                .exists(log.key().key().toArray())
                .thenApply(count -> new Standing(count > 0, Optional.empty())));
  }

  CompletionStage<Change> append(
      Side log,
      Expectation.Tail expected,
      Stamp stamp,
      Bytes payload,
      Double score,
      Expiry expiry) {
    StampTemplate template = log.relation().stamp();
    boolean sorted = sorted(log);
    if (sorted != (score != null)) {
      throw new IllegalArgumentException("entries of sorted sets have a score, others have none");
    }
    List<Bytes> seen = expected.tokens();
    List<byte[]> arguments = new ArrayList<>();
    arguments.add(ascii(sorted ? "zset" : "list"));
    arguments.add(stamp.token().toArray());
    arguments.add(seen.isEmpty() ? Script.NOTHING : seen.get(seen.size() - 1).toArray());
    arguments.add(ascii(TAIL));
    arguments.add(template.write(stamp, payload.toArray()));
    arguments.add(ascii(sorted ? score : ""));
    arguments.add(Script.word(expiry));
    arguments.add(ascii(expiry.millis()));
    arguments.add(template.lead().toArray());
    for (StampTemplate.Step step : template.steps()) {
      arguments.add(ascii(step.version() ? "v" : "t"));
      arguments.add(step.end().toArray());
    }
    return APPEND
        .run(servers, log, arguments.toArray(byte[][]::new))
        .thenApply(
            answer ->
                Script.change(
                    log,
                    answer.get(0),
                    new Standing((Long) answer.get(1) == 1, Optional.empty()),
                    Optional.of(stamp)));
  }

  CompletionStage<Change> withdraw(Side log, Stamp stamp, Bytes payload) {
    return WITHDRAW
        .run(
            servers,
            log,
            ascii(sorted(log) ? "zset" : "list"),
            log.relation().stamp().write(stamp, payload.toArray()))
        .thenApply(
            answer ->
                Script.change(
                    log,
                    answer.get(0),
                    new Standing((Long) answer.get(1) == 1, Optional.empty()),
                    Optional.empty()));
  }

  private static boolean sorted(Side log) {
    return log.relation().sides().get(log.index()).type() == SideType.ZSET;
  }

  CompletionStage<Optional<Double>> scoreOf(Side log, Bytes token) {
    byte[] key = log.key().key().toArray();
    return servers.on(
        log.key(),
        commands ->
            commands
                .zrangeWithScores(key, -TAIL, -1)
                .thenApply(
                    tail ->
                        tail.stream()
                            .filter(entry -> carries(log, entry.getValue(), token))
                            .map(ScoredValue::getScore)
                            .findFirst()));
  }

  CompletionStage<Boolean> carries(Side log, Bytes token) {
    byte[] key = log.key().key().toArray();
    return servers.on(
        log.key(),
        commands -> {
          CompletionStage<List<byte[]>> tail =
              sorted(log) ? commands.zrange(key, -TAIL, -1) : commands.lrange(key, -TAIL, -1);
          return tail.thenApply(
              entries -> entries.stream().anyMatch(entry -> carries(log, entry, token)));
        });
  }

  private static boolean carries(Side log, byte[] entry, Bytes token) {
    return log.relation()
        .stamp()
        .read(entry)
        .filter(parsed -> parsed.stamp().token().equals(token))
        .isPresent();
  }
}
