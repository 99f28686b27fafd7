package dev.restitch.worker;

import dev.restitch.avro.KeyRef;
import dev.restitch.avro.KeyState;
import dev.restitch.avro.Policy;
import dev.restitch.avro.Reading;
import dev.restitch.avro.RepairCommand;
import dev.restitch.key.InstanceName;
import dev.restitch.model.Bytes;
import dev.restitch.model.Verdict;
import dev.restitch.writer.Digests;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** Builds repair commands as the judge does. */
public final class Commands {

  private final RepairCommand.Builder command;
  private final List<Reading> expected = new ArrayList<>();
  private final List<KeyRef> behind = new ArrayList<>();

  private Commands(String instance, Policy policy, Verdict verdict) {
    long now = System.currentTimeMillis();
    command =
        RepairCommand.newBuilder()
            .setId(UUID.randomUUID().toString())
            .setIncident("incident-of-" + instance)
            .setInstance(instance)
            .setRelation(InstanceName.relation(instance))
            .setVerdict(verdict.name())
            .setPolicy(policy)
            .setAttempt(1)
            .setIssuedAtMillis(now)
            .setNotAfterMillis(now + 60_000);
  }

  public static Commands of(String instance, Policy policy, Verdict verdict) {
    return new Commands(instance, policy, verdict);
  }

  /** The torn transaction. */
  public Commands torn(long version, String token) {
    command.setVersion(version).setToken(Bytes.utf8(token).toBuffer()).setHighestVersion(version);
    return this;
  }

  public Commands stamped(String store, String key, Long version, String token) {
    expected.add(
        reading(store, key, KeyState.STAMPED)
            .setVersion(version)
            .setToken(token == null ? null : Bytes.utf8(token).toBuffer())
            .build());
    return this;
  }

  /** Stamped without a token, known by length and digest. */
  public Commands exact(String store, String key, long version, String value, String payload) {
    expected.add(
        reading(store, key, KeyState.STAMPED)
            .setVersion(version)
            .setLength((long) value.length())
            .setDigest(digest(payload))
            .build());
    return this;
  }

  /** A log, with the tokens in its window. */
  public Commands log(String store, String key, String... tokens) {
    expected.add(
        reading(store, key, KeyState.STAMPED)
            .setTokens(Arrays.stream(tokens).map(t -> Bytes.utf8(t).toBuffer()).toList())
            .build());
    return this;
  }

  public Commands unstamped(String store, String key, String value) {
    expected.add(
        reading(store, key, KeyState.UNSTAMPED)
            .setLength((long) value.length())
            .setDigest(digest(value))
            .build());
    return this;
  }

  public Commands absent(String store, String key) {
    expected.add(reading(store, key, KeyState.ABSENT).build());
    return this;
  }

  public Commands behind(String store, String key) {
    behind.add(KeyRef.newBuilder().setStore(store).setKey(Bytes.utf8(key).toBuffer()).build());
    return this;
  }

  public RepairCommand.Builder builder() {
    return command.setExpected(expected).setBehind(behind);
  }

  public RepairCommand build() {
    return builder().build();
  }

  private static Reading.Builder reading(String store, String key, KeyState state) {
    return Reading.newBuilder().setStore(store).setKey(Bytes.utf8(key).toBuffer()).setState(state);
  }

  private static java.nio.ByteBuffer digest(String payload) {
    return Digests.sha256(Bytes.utf8(payload).toArray()).toBuffer();
  }
}
