package dev.restitch.sandbox.bench.repair;

import dev.restitch.sandbox.bench.WrongAnswerException;
import dev.restitch.worker.apply.SideStore;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

/**
 * The same reads and the same script that the worker sends for each repair, bare: {@code GET} and
 * {@code PTTL} of the newer side, then the compare-and-set of the older, pipelined by the thousand,
 * with nothing around it: no Kafka, no outcome, no guard.
 */
final class BareRepairs {

  private static final int BATCH = 1_000;
  private static final String SCRIPT = "compare-and-set.lua";

  private final StatefulRedisConnection<String, String> east;
  private final StatefulRedisConnection<String, String> west;
  private final String sha;

  BareRepairs(
      StatefulRedisConnection<String, String> east, StatefulRedisConnection<String, String> west)
      throws IOException {
    this.east = east;
    this.west = west;
    try (InputStream script = SideStore.class.getResourceAsStream(SCRIPT)) {
      this.sha = west.sync().scriptLoad(new String(script.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /** Mends all; returns when the last answer is there. */
  void run(TornPairs pairs) throws InterruptedException, ExecutionException {
    east.setAutoFlushCommands(false);
    west.setAutoFlushCommands(false);
    for (int from = 0; from < pairs.count(); from += BATCH) {
      batch(pairs, from, Math.min(pairs.count(), from + BATCH));
    }
    east.setAutoFlushCommands(true);
    west.setAutoFlushCommands(true);
  }

  private void batch(TornPairs pairs, int from, int to)
      throws InterruptedException, ExecutionException {
    List<RedisFuture<String>> values = new ArrayList<>();
    List<RedisFuture<Long>> lives = new ArrayList<>();
    for (int i = from; i < to; i++) {
      values.add(east.async().get(pairs.key(i)));
      lives.add(east.async().pttl(pairs.key(i)));
    }
    east.flushCommands();
    List<RedisFuture<List<Object>>> set = new ArrayList<>();
    for (int i = from; i < to; i++) {
      String value = values.get(i - from).get();
      lives.get(i - from).get();
      set.add(
          west.async()
              .evalsha(
                  sha,
                  ScriptOutputType.MULTI,
                  new String[] {pairs.key(i)},
                  "prefix",
                  "2:new:",
                  "prefix",
                  "1:old:",
                  value,
                  "KEEPTTL",
                  "0",
                  "512"));
    }
    west.flushCommands();
    for (RedisFuture<List<Object>> one : set) {
      if ((Long) one.get().get(0) != 1) {
        throw new WrongAnswerException("repair: the bare script changed nothing");
      }
    }
  }
}
