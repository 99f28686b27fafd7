package dev.restitch.sandbox.bench.repair;

import dev.restitch.avro.KeyRef;
import dev.restitch.avro.KeyState;
import dev.restitch.avro.Policy;
import dev.restitch.avro.Reading;
import dev.restitch.avro.RepairCommand;
import dev.restitch.model.Bytes;
import dev.restitch.model.Verdict;
import dev.restitch.sandbox.bench.WrongAnswerException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;

/**
 * Pairs of keys of which one side is newer: what is to be mended, the commands that do it as the
 * judge words them, and the check that it was done.
 *
 * @param name of this lot; its keys are its own
 */
record TornPairs(String name, int count) {

  private static final int BATCH = 1_000;
  private static final String PAYLOAD = "x".repeat(100);
  private static final long LIFE_MILLIS = 600_000;

  private static final String OLD = "1:old:" + PAYLOAD;
  static final String NEW = "2:new:" + PAYLOAD;

  String key(int i) {
    return "conf:" + name + "-" + i;
  }

  void tear(
      StatefulRedisConnection<String, String> east, StatefulRedisConnection<String, String> west)
      throws InterruptedException, ExecutionException {
    set(east, NEW);
    set(west, OLD);
  }

  private void set(StatefulRedisConnection<String, String> server, String value)
      throws InterruptedException, ExecutionException {
    server.setAutoFlushCommands(false);
    List<RedisFuture<String>> sent = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sent.add(server.async().set(key(i), value));
      if (sent.size() == BATCH || i == count - 1) {
        server.flushCommands();
        for (RedisFuture<String> one : sent) {
          one.get();
        }
        sent.clear();
      }
    }
    server.setAutoFlushCommands(true);
  }

  /** The commands, in order of the pairs. */
  List<RepairCommand> commands() {
    long now = System.currentTimeMillis();
    List<RepairCommand> commands = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      commands.add(
          RepairCommand.newBuilder()
              .setId(UUID.randomUUID().toString())
              .setIncident("incident-" + name + "-" + i)
              .setInstance("conf/" + name + "-" + i)
              .setRelation("conf")
              .setVerdict(Verdict.TORN_MISSING.name())
              .setPolicy(Policy.ACCEPT_NEWEST)
              .setAttempt(1)
              .setIssuedAtMillis(now)
              .setNotAfterMillis(now + LIFE_MILLIS)
              .setVersion(2L)
              .setToken(Bytes.utf8("new").toBuffer())
              .setHighestVersion(2L)
              .setExpected(List.of(reading("east", i, 2, "new"), reading("west", i, 1, "old")))
              .setBehind(
                  List.of(
                      KeyRef.newBuilder()
                          .setStore("west")
                          .setKey(Bytes.utf8(key(i)).toBuffer())
                          .build()))
              .build());
    }
    return commands;
  }

  private Reading reading(String store, int i, long version, String token) {
    return Reading.newBuilder()
        .setStore(store)
        .setKey(Bytes.utf8(key(i)).toBuffer())
        .setState(KeyState.STAMPED)
        .setVersion(version)
        .setToken(Bytes.utf8(token).toBuffer())
        .build();
  }

  /**
   * Looks at every pair.
   *
   * @throws WrongAnswerException if one is not mended
   */
  void mustBeMended(StatefulRedisConnection<String, String> west) {
    for (int i = 0; i < count; i += BATCH) {
      String[] keys = new String[Math.min(BATCH, count - i)];
      for (int k = 0; k < keys.length; k++) {
        keys[k] = key(i + k);
      }
      west.sync()
          .mget(keys)
          .forEach(
              found -> {
                if (!found.getValueOrElse("").equals(NEW)) {
                  throw new WrongAnswerException("repair: " + found.getKey() + " is not mended");
                }
              });
    }
  }
}
