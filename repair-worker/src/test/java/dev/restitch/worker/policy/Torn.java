package dev.restitch.worker.policy;

import dev.restitch.avro.Intent;
import dev.restitch.avro.Policy;
import dev.restitch.avro.RepairCommand;
import dev.restitch.avro.Write;
import dev.restitch.avro.WriteOp;
import dev.restitch.model.Bytes;
import dev.restitch.model.Verdict;
import dev.restitch.worker.Commands;
import dev.restitch.worker.Form;
import dev.restitch.writer.Digests;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.util.List;

/**
 * A torn instance of one form: side one has the transaction {@code new}, side two is behind.
 *
 * @param id a new one for each schedule
 * @param absent true: side two is not there; false: it has the transaction before
 */
record Torn(String relation, Form form, Policy policy, boolean absent, String id) {

  static final String TOKEN = "new";
  static final long VERSION = 2;

  String one() {
    return relation + ":" + id + ":one";
  }

  String two() {
    return relation + ":" + id + ":two";
  }

  String instance() {
    return relation + "/" + id;
  }

  /** Makes the tear. */
  void tear(RedisClusterCommands<String, String> east, RedisClusterCommands<String, String> west) {
    if (form.log()) {
      form.write(east, one(), 1, "old");
    }
    form.write(east, one(), VERSION, TOKEN);
    if (!absent) {
      form.write(west, two(), 1, "old");
    }
  }

  RepairCommand command() {
    Verdict verdict = form.log() ? Verdict.LOG_HOLE : Verdict.TORN_MISSING;
    Commands commands =
        Commands.of(instance(), policy, verdict).torn(VERSION, TOKEN).behind("west", two());
    if (form.log()) {
      commands.log("east", one(), "old", TOKEN);
    } else {
      commands.stamped("east", one(), VERSION, TOKEN);
    }
    if (absent) {
      commands.absent("west", two());
    } else if (form.log()) {
      commands.log("west", two(), "old");
    } else {
      commands.stamped("west", two(), 1L, "old");
    }
    RepairCommand.Builder built = commands.builder();
    if (form.log()) {
      built.setVersion(null).setHighestVersion(null);
    }
    if (policy == Policy.ROLL_FORWARD) {
      built.setIntentPartition(0).setIntentOffset(1L);
    }
    return built.build();
  }

  /** The payload of the torn transaction, as its intent and the truth say it. */
  Bytes payload() {
    String text = TOKEN + "-payload";
    return Bytes.utf8(form == Form.HASH ? "{\"body\":\"" + text + "\"}" : text);
  }

  Intent intent() {
    return Intent.newBuilder()
        .setToken(Bytes.utf8(TOKEN).toBuffer())
        .setVersion(form.log() ? null : (Long) VERSION)
        .setWrites(List.of(write("east", one()), write("west", two())))
        .setCreatedAtMillis(1)
        .build();
  }

  private Write write(String store, String key) {
    return Write.newBuilder()
        .setStore(store)
        .setKey(Bytes.utf8(key).toBuffer())
        .setOp(form.log() ? WriteOp.APPEND : WriteOp.PUT)
        .setPayload(payload().toBuffer())
        .setDigest(Digests.sha256(payload().toArray()).toBuffer())
        .setScore(form == Form.ZSET ? (Double) (double) VERSION : null)
        .build();
  }

  @Override
  public String toString() {
    return policy + " of a " + form + (absent ? " that is absent" : " that is behind");
  }
}
