package dev.restitch.worker.policy;

import dev.restitch.avro.KeyRef;
import dev.restitch.avro.KeyState;
import dev.restitch.avro.Outcome;
import dev.restitch.avro.Policy;
import dev.restitch.avro.Reading;
import dev.restitch.avro.RepairCommand;
import dev.restitch.config.RelationConfig;
import dev.restitch.config.Relations;
import dev.restitch.config.Relations.Side;
import dev.restitch.config.RepairPolicyConfig;
import dev.restitch.config.SideConfig;
import dev.restitch.config.SideType;
import dev.restitch.key.InstanceName;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.model.Verdict;
import dev.restitch.stamp.Stamp;
import dev.restitch.worker.apply.Expectation;
import dev.restitch.worker.apply.Payload;
import dev.restitch.writer.HashFields;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A command that makes sense: its relation, verdict and policy are known, and it touches its own
 * instance only. Immutable.
 *
 * @param settings what the relation says about the policy
 * @param expected what the deciding snapshot saw of the instance's sides, by key
 * @param behind the keys to mend
 */
public record RepairOrder(
    RepairCommand command,
    RelationConfig relation,
    Verdict verdict,
    RepairPolicyConfig settings,
    Map<StoreKey, Reading> expected,
    List<StoreKey> behind) {

  /**
   * Checks a command.
   *
   * @throws InvalidCommandException with a sentence that says what is wrong
   */
  public static RepairOrder of(RepairCommand command, Relations relations) {
    RelationConfig relation =
        relations
            .named(command.getRelation())
            .filter(r -> r.name().equals(InstanceName.relation(command.getInstance())))
            .orElseThrow(() -> new InvalidCommandException("unknown relation of the instance"));
    Verdict verdict =
        Arrays.stream(Verdict.values())
            .filter(v -> v.name().equals(command.getVerdict()))
            .findFirst()
            .orElseThrow(() -> new InvalidCommandException("unknown verdict"));
    RepairPolicyConfig settings = settings(command.getPolicy(), verdict, relation);
    List<StoreKey> sides = sides(command, relation);
    Map<StoreKey, Reading> expected = new LinkedHashMap<>();
    for (Reading reading : command.getExpected()) {
      StoreKey key = new StoreKey(reading.getStore(), Bytes.copyOf(reading.getKey()));
      if (sides.contains(key)) {
        expected.put(key, reading);
      }
    }
    List<StoreKey> behind = command.getBehind().stream().map(RepairOrder::key).toList();
    RepairOrder order =
        new RepairOrder(command, relation, verdict, settings, Map.copyOf(expected), behind);
    order.requireOwnKeys(sides);
    return order;
  }

  private static RepairPolicyConfig settings(
      Policy policy, Verdict verdict, RelationConfig relation) {
    if (policy == Policy.UNKNOWN || policy == Policy.REPORT) {
      throw new InvalidCommandException("nothing can be done by policy " + policy);
    }
    if (!PolicyTable.allows(policy, verdict)) {
      throw new InvalidCommandException(verdict + " does not allow " + policy);
    }
    return relation.repair().stream()
        .filter(p -> p.policy().name().equals(policy.name()))
        .filter(
            p ->
                p.on().contains(verdict)
                    || (p.on().isEmpty() && !PolicyTable.onlyByChoice(policy, verdict)))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidCommandException(
                    "relation "
                        + relation.name()
                        + " does not list "
                        + policy
                        + " for "
                        + verdict));
  }

  private static List<StoreKey> sides(RepairCommand command, RelationConfig relation) {
    try {
      if (InstanceName.ids(command.getInstance()).size() != relation.captureNames().size()) {
        throw new InvalidCommandException("the instance has not the ids of its relation");
      }
      return relation.keysOf(command.getInstance());
    } catch (IllegalArgumentException e) {
      throw new InvalidCommandException("the instance is not a name: " + e.getMessage());
    }
  }

  private void requireOwnKeys(List<StoreKey> sides) {
    Policy policy = command.getPolicy();
    List<StoreKey> own = policy == Policy.MARK ? marker().map(List::of).orElse(List.of()) : sides;
    if (behind.isEmpty() && (policy != Policy.SOURCE_OF_TRUTH || relation.log())) {
      throw new InvalidCommandException("it does not say which keys to mend");
    }
    if (!own.containsAll(behind)) {
      throw new InvalidCommandException("it names a key that is not its instance's");
    }
    List<StoreKey> needed =
        switch (policy) {
          case SOURCE_OF_TRUTH -> relation.log() ? behind : sides;
          case MARK -> List.of();
          default -> behind;
        };
    if (!expected.keySet().containsAll(needed)) {
      throw new InvalidCommandException("it does not say what is expected on every side");
    }
  }

  /** The instance. */
  public String instance() {
    return command.getInstance();
  }

  /** The keys of the instance's sides, in side order. */
  public List<StoreKey> sides() {
    return relation.keysOf(instance());
  }

  /** A side of the instance, by its key. */
  public Side side(StoreKey key) {
    return new Side(relation, sides().indexOf(key), instance(), key);
  }

  /** How the side of a key is kept. */
  public SideType type(StoreKey key) {
    return relation.sides().get(sides().indexOf(key)).type();
  }

  /**
   * A payload as an intent, a source of truth or a mapping says it, in the form of its side.
   *
   * @throws RepairStopped if it is no payload for such a side
   */
  Payload payload(StoreKey key, Bytes said) {
    try {
      Payload payload = Payload.of(type(key), said);
      return payload instanceof Payload.Fields all ? withoutStamp(key, all.fields()) : payload;
    } catch (IllegalArgumentException e) {
      throw new RepairStopped(Outcome.FAILED, key + ": " + e.getMessage());
    }
  }

  private Payload withoutStamp(StoreKey key, HashFields all) {
    SideConfig config = relation.sides().get(sides().indexOf(key));
    Map<Bytes, Bytes> fields = new HashMap<>(all.fields());
    for (String field : Arrays.asList(config.versionField(), config.tokenField())) {
      if (field != null) {
        fields.remove(Bytes.utf8(field));
      }
    }
    return new Payload.Fields(new HashFields(fields));
  }

  /** The stores that may be written. */
  public Set<String> stores() {
    Set<String> stores = new LinkedHashSet<>();
    boolean all = command.getPolicy() == Policy.SOURCE_OF_TRUTH && !relation.log();
    List<StoreKey> keys = all ? sides() : behind;
    keys.forEach(key -> stores.add(key.store()));
    return stores;
  }

  /** The stamp of the torn transaction. */
  public Stamp torn() {
    return new Stamp(command.getVersion(), token());
  }

  private Bytes token() {
    return command.getToken() == null ? Bytes.EMPTY : Bytes.copyOf(command.getToken());
  }

  /** The marker of the torn transaction; empty where the relation or the command has none. */
  public Optional<StoreKey> marker() {
    return command.getToken() == null ? Optional.empty() : relation.markerOf(instance(), token());
  }

  /** The stamp that was seen on a side; empty where it had none. */
  public Optional<Stamp> seen(StoreKey side) {
    Reading reading = expected.get(side);
    return reading.getState() == KeyState.STAMPED ? Optional.of(stamp(reading)) : Optional.empty();
  }

  /** True if nothing was seen on a side. */
  public boolean seenAbsent(StoreKey side) {
    return expected.get(side).getState() == KeyState.ABSENT;
  }

  /**
   * What must still stand on a side.
   *
   * @throws RepairStopped if what was seen cannot be compared
   */
  public Expectation expectation(StoreKey side) {
    Reading reading = expected.get(side);
    if (relation.log()) {
      return tail(side);
    }
    return switch (reading.getState()) {
      case ABSENT -> new Expectation.Absent();
      case STAMPED ->
          relation.stamp().hasToken()
              ? new Expectation.Stamped(stamp(reading))
              : exact(Bytes.copyOf(relation.stamp().prefix(stamp(reading))), reading, side);
      case UNSTAMPED -> exact(Bytes.EMPTY, reading, side);
      case UNREADABLE, PRESENT -> throw notRead(side);
    };
  }

  /**
   * How the log of a key must have gone on since it was seen.
   *
   * @throws RepairStopped if what was seen cannot be compared
   */
  Expectation.Tail tail(StoreKey log) {
    Reading reading = expected.get(log);
    return switch (reading.getState()) {
      case ABSENT -> new Expectation.Tail(List.of());
      case STAMPED -> new Expectation.Tail(tokens(log));
      case UNSTAMPED ->
          throw new RepairStopped(
              Outcome.REFUSED, log + " had no stamped entry: it cannot be compared");
      case UNREADABLE, PRESENT -> throw notRead(log);
    };
  }

  /** The tokens that were seen in a log, oldest first. */
  List<Bytes> tokens(StoreKey log) {
    Reading reading = expected.get(log);
    return reading == null || reading.getTokens() == null
        ? List.of()
        : reading.getTokens().stream().map(Bytes::copyOf).toList();
  }

  /** The keys that were seen with the torn transaction, in side order. */
  List<StoreKey> carriers() {
    return sides().stream()
        .filter(expected::containsKey)
        .filter(
            key ->
                relation.log()
                    ? tokens(key).contains(torn().token())
                    : seen(key).equals(Optional.of(torn())))
        .toList();
  }

  private static RepairStopped notRead(StoreKey side) {
    return new RepairStopped(Outcome.CONFLICT, side + " was not read when it was judged");
  }

  private Expectation exact(Bytes prefix, Reading reading, StoreKey side) {
    if (type(side) == SideType.HASH) {
      throw new RepairStopped(
          Outcome.REFUSED, side + " is a hash without a token: it cannot be compared");
    }
    if (reading.getLength() == null || reading.getDigest() == null) {
      throw new RepairStopped(
          Outcome.REFUSED,
          side + " has no token, and was too large for a digest: it cannot be compared");
    }
    return new Expectation.Exact(prefix, reading.getLength(), Bytes.copyOf(reading.getDigest()));
  }

  private static Stamp stamp(Reading reading) {
    return new Stamp(
        reading.getVersion(),
        reading.getToken() == null ? Bytes.EMPTY : Bytes.copyOf(reading.getToken()));
  }

  private static StoreKey key(KeyRef ref) {
    return new StoreKey(ref.getStore(), Bytes.copyOf(ref.getKey()));
  }
}
