package dev.restitch.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RelationConfig;
import dev.restitch.config.RepairPolicyConfig.Policy;
import dev.restitch.judge.Decision.Ask;
import dev.restitch.judge.Decision.Repair;
import dev.restitch.judge.Evidence.IntentSeen;
import dev.restitch.judge.Evidence.Observed;
import dev.restitch.judge.Evidence.Op;
import dev.restitch.judge.Evidence.PlannedWrite;
import dev.restitch.judge.Evidence.SnapshotSeen;
import dev.restitch.judge.Evidence.TimePassed;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.model.Verdict;
import dev.restitch.stamp.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands carry what the worker needs, whatever the form of the sides. */
class RemedyTest {

  private static final String YAML =
      """
      kafka: { bootstrap.servers: "h:1" }
      registry: { url: "http://h:1" }
      stores: { east: { uri: "redis://h:1" } }
      relations:
        events:
          sides:
            a: { store: east, key: "a:{id}", type: list }
            b: { store: east, key: "b:{id}", type: zset }
          stamp: "{version}:{token}:{payload}"
          repair: [ { policy: %1$s } ]
        card:
          sides:
            front: { store: east, key: "front:{id}", type: hash, fields: { version: v, token: t } }
            back: { store: east, key: "back:{id}" }
          stamp: "{version}:{token}:{payload}"
          version: { order: counter }
          repair: [ { policy: accept-newest, regenerate: { %2$s: { from: %3$s, mapping: "x" } } } ]
        when:
          sides:
            one: { store: east, key: "one:{id}" }
            two: { store: east, key: "two:{id}" }
          stamp: "{timestamp}:{token}:{payload}"
          version: { order: timestamp, max-skew: 40ms }
          writes: some
          repair: [ { policy: roll-forward } ]
      sources:
        db: { jdbc: "jdbc:postgresql://h/db", query: { a: "select 1", b: "select 1" } }
      """;

  private static final Stamp TORN = new Stamp(7L, Bytes.utf8("t7"));

  @ParameterizedTest
  @CsvSource({"roll-forward,ROLL_FORWARD", "'source-of-truth, source: db',SOURCE_OF_TRUTH"})
  void shouldCommandThatALogIsGivenWhatItLacksAndNothingElse(String policy, Policy expected) {
    Judge judge = judge("events", policy, "back", "front");
    InstanceState state = judge.fresh("events/1");
    StoreKey a = new StoreKey("east", Bytes.utf8("a:1"));
    StoreKey b = new StoreKey("east", Bytes.utf8("b:1"));
    PlannedWrite append = new PlannedWrite(Op.APPEND, null, null);
    judge.judge(
        state, new IntentSeen(990, TORN, Map.of(a, append, b, append), null, null, "app", 3, 42));
    Reading longer = log(a, "t6", "t7");
    Reading shorter = log(b, "t6");

    Repair repair = tear(judge, state, longer, shorter);

    assertThat(repair.verdict()).isEqualTo(Verdict.LOG_HOLE);
    assertThat(repair.policy()).isEqualTo(expected);
    assertThat(repair.behind()).containsExactly(b);
    assertThat(repair.stamp().token()).isEqualTo(TORN.token());
    assertThat(repair.intentPartition()).isEqualTo(3);
    assertThat(repair.intentOffset()).isEqualTo(42);
    assertThat(repair.expected())
        .extracting(Reading::tokens)
        .containsExactly(longer.tokens(), shorter.tokens());
  }

  @Test
  void shouldCommandThatASideIsMadeFromTheOneThatItsMappingNames() {
    Judge judge = judge("card", "report", "back", "front");
    StoreKey front = new StoreKey("east", Bytes.utf8("front:1"));
    StoreKey back = new StoreKey("east", Bytes.utf8("back:1"));
    Stamp older = new Stamp(6L, Bytes.utf8("t6"));

    Repair repair =
        tear(
            judge,
            judge.fresh("card/1"),
            Reading.stamped(front, TORN),
            Reading.stamped(back, older));

    assertThat(repair.policy()).isEqualTo(Policy.ACCEPT_NEWEST);
    assertThat(repair.behind()).containsExactly(back);
    assertThat(repair.expected()).extracting(Reading::stamp).containsExactly(TORN, older);
  }

  @Test
  void shouldCommandNothingWhereNoMappingMakesTheSideThatIsBehind() {
    Judge judge = judge("card", "report", "front", "back");
    InstanceState state = judge.fresh("card/1");

    List<Decision> decisions =
        torn(
            judge,
            state,
            Reading.stamped(new StoreKey("east", Bytes.utf8("front:1")), TORN),
            Reading.stamped(
                new StoreKey("east", Bytes.utf8("back:1")), new Stamp(6L, Bytes.utf8("t6"))));

    assertThat(decisions).noneMatch(Repair.class::isInstance);
    assertThat(state.openIncident().verdict).isEqualTo(Verdict.TORN_MISSING);
  }

  @Test
  void shouldNotRollForwardOverWhatNothingOrdersAgainstTheTornTransaction() {
    Judge judge = judge("when", "report", "back", "front");
    StoreKey one = new StoreKey("east", Bytes.utf8("one:1"));
    StoreKey two = new StoreKey("east", Bytes.utf8("two:1"));
    Stamp other = new Stamp(40L, Bytes.utf8("t6")); // timestamps within max-skew
    for (Stamp standing : List.of(other, new Stamp(-34L, Bytes.utf8("t5")))) {
      InstanceState state = judge.fresh("when/1");
      PlannedWrite put = new PlannedWrite(Op.PUT, null, null);
      judge.judge(state, new IntentSeen(980, standing, Map.of(two, put), null, null, "app", 0, 1));
      judge.judge(
          state, new IntentSeen(990, TORN, Map.of(one, put, two, put), null, null, "app", 0, 2));

      List<Decision> decisions =
          torn(judge, state, Reading.stamped(one, TORN), Reading.stamped(two, standing));

      assertThat(state.openIncident().verdict).isEqualTo(Verdict.TORN_MISSING);
      assertThat(decisions.stream().anyMatch(Repair.class::isInstance))
          .as("rolled forward over " + standing)
          .isEqualTo(!standing.equals(other));
    }
  }

  @Test
  void shouldGiveNoTwoCommandsOneIdThatAreForDifferentTransactionsOrLogs() {
    StoreKey log = new StoreKey("east", Bytes.utf8("a:1"));
    Stamp other = new Stamp(8L, Bytes.utf8("t8"));

    assertThat(
            List.of(
                id(TORN, log(log, "t6")),
                id(other, log(log, "t6")),
                id(TORN, log(log, "t6", "t5")),
                id(TORN, log(log, "t5", "t6"))))
        .doesNotHaveDuplicates();
    assertThat(id(TORN, log(log, "t6"))).isEqualTo(id(TORN, log(log, "t6")));
  }

  private static String id(Stamp torn, Reading log) {
    return Remedy.commandId(
        "incident", 0, Policy.ROLL_FORWARD, torn, List.of(log), List.of(log.key()));
  }

  private static Judge judge(String relation, String policy, String target, String source) {
    String yaml = YAML.formatted(policy, target, source);
    if (!policy.contains("db")) {
      yaml = yaml.substring(0, yaml.indexOf("sources:"));
    }
    RelationConfig config = ConfigLoader.parse(yaml, Map.of()).relations().get(relation);
    return new Judge(config, true);
  }

  private static Reading log(StoreKey key, String... tokens) {
    List<Bytes> window = new ArrayList<>();
    for (String token : tokens) {
      window.add(Bytes.utf8(token));
    }
    return new Reading(
        key, Reading.State.STAMPED, null, window, null, null, (long) tokens.length, null, null);
  }

  private static Repair tear(Judge judge, InstanceState state, Reading one, Reading other) {
    return torn(judge, state, one, other).stream()
        .filter(Repair.class::isInstance)
        .map(Repair.class::cast)
        .findFirst()
        .orElseThrow();
  }

  private static List<Decision> torn(Judge judge, InstanceState state, Reading one, Reading other) {
    judge.judge(state, new Observed(1_000, one, "set", false));
    judge.judge(state, new Observed(1_000, other, "set", false));
    Ask ask =
        judge.judge(state, new TimePassed(20_000)).stream()
            .filter(Ask.class::isInstance)
            .map(Ask.class::cast)
            .findFirst()
            .orElseThrow();
    return judge.judge(
        state,
        new SnapshotSeen(20_100, ask.seq(), ask.askedAt(), true, List.of(one, other), false));
  }
}
