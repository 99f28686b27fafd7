package dev.restitch.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RelationConfig;
import dev.restitch.judge.Decision.Ask;
import dev.restitch.judge.Decision.Counted;
import dev.restitch.judge.Decision.Counter;
import dev.restitch.judge.Decision.IncidentChanged;
import dev.restitch.judge.Decision.Repair;
import dev.restitch.judge.Evidence.Observed;
import dev.restitch.judge.Evidence.SnapshotSeen;
import dev.restitch.judge.Evidence.TimePassed;
import dev.restitch.judge.Reading.State;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.model.Verdict;
import dev.restitch.stamp.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When the judge asks, asks again, and gives up asking: settle 2 s, patience 1 m, memory 1 h. */
class ProbeTimesTest {

  private static final long PATIENCE = 60_000;
  private static final StoreKey DEBIT = new StoreKey("east", Bytes.utf8("pay:1:debit"));
  private static final StoreKey CREDIT = new StoreKey("west", Bytes.utf8("pay:1:credit"));
  private static final StoreKey MARKER = new StoreKey("east", Bytes.utf8("txn:t1:committed"));
  private static final Stamp T1 = new Stamp(7L, Bytes.utf8("t1"));

  private final RelationConfig relation =
      ConfigLoader.parse(
              """
              kafka: { bootstrap.servers: "localhost:9092" }
              stores:
                east: { uri: "redis://localhost:7001" }
                west: { uri: "redis://localhost:7002" }
              relations:
                pay:
                  sides:
                    debit:  { store: east, key: "pay:{id}:debit" }
                    credit: { store: west, key: "pay:{id}:credit" }
                  stamp: "{version}:{token}:{payload}"
                  version: { order: counter }
                  marker: { store: east, key: "txn:{token}:committed", ttl: 1h }
                  repair: [ { policy: mark } ]
              """,
              Map.of())
          .resolver()
          .named("pay")
          .orElseThrow();
  private final Judge judge = new Judge(relation, true);
  private final InstanceState state = judge.fresh("pay/1");
  private final List<Decision> all = new ArrayList<>();

  @ParameterizedTest
  @CsvSource({"2999, false", "3000, true", "3001, true"})
  void shouldAskAtTheDeadline(long now, boolean asks) {
    seen(1_000, DEBIT, T1);

    assertThat(state.wakeAt()).isEqualTo(3_000);
    assertThat(ask(tell(new TimePassed(now))).isPresent()).isEqualTo(asks);
  }

  @ParameterizedTest
  @CsvSource({"59999, false", "60000, true", "60001, true"})
  void shouldAskAgainWhereAProbeIsNotAnsweredWithinItsPatience(long later, boolean asksAgain) {
    Ask first = halfWritten();

    List<Decision> decisions = tell(new TimePassed(first.askedAt() + later));

    assertThat(ask(decisions).isPresent()).isEqualTo(asksAgain);
    assertThat(decisions.contains(new Counted(Counter.PROBE_UNANSWERED))).isEqualTo(asksAgain);
    ask(decisions).ifPresent(a -> assertThat(a.seq()).isGreaterThan(first.seq()));
  }

  @Test
  void shouldNotConvictOnTheAnswerOfAnEarlierAsk() {
    Ask first = halfWritten();
    assertThat(ask(tell(new TimePassed(first.askedAt() + PATIENCE)))).isPresent();

    assertThat(tell(answer(first, 64_000, true, torn())))
        .noneMatch(IncidentChanged.class::isInstance);
  }

  @Test
  void shouldBackOffFromUnstableSnapshots() {
    Ask ask = halfWritten();
    long at = 3_000;
    for (long backoff : new long[] {500, 2_000, 8_000, 32_000, PATIENCE, PATIENCE}) {
      at += 7;
      tell(answer(ask, at, false, torn()));
      assertThat(state.wakeAt()).isEqualTo(at + backoff);
      assertThat(ask(tell(new TimePassed(at + backoff - 1)))).isEmpty();
      at += backoff;
      ask = ask(tell(new TimePassed(at))).orElseThrow();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldBackOffAnewAfterAnAnswerThatWasStable(boolean stable) {
    Ask ask = halfWritten();
    tell(answer(ask, 3_100, false, torn()));
    ask = ask(tell(new TimePassed(3_600))).orElseThrow();
    tell(answer(ask, 3_700, stable, torn()));

    assertThat(state.wakeAt()).isEqualTo(stable ? 3_700 + PATIENCE : 3_700 + 2_000);
  }

  @ParameterizedTest
  @CsvSource({
    "62999, unstable, false", "63000, unstable, true", "63001, unstable, true",
    "62999, unreadable, false", "63000, unreadable, true", "63001, unreadable, true"
  })
  void shouldBeIndeterminateOncePatienceIsOver(long answeredAt, String how, boolean declared) {
    Ask ask = halfWritten();
    tell(answer(ask, 3_000, false, torn()));
    ask = ask(tell(new TimePassed(3_500))).orElseThrow();
    boolean stable = how.equals("unreadable");
    List<Reading> readings =
        stable
            ? List.of(
                Reading.stamped(DEBIT, T1), Reading.of(CREDIT, State.UNREADABLE), marker(false))
            : torn();

    List<Decision> decisions = tell(answer(ask, answeredAt, stable, readings));

    assertThat(incident(decisions).isPresent()).isEqualTo(declared);
    incident(decisions)
        .ifPresent(
            i -> {
              assertThat(i.verdict).isEqualTo(Verdict.INDETERMINATE);
              assertThat(i.behind).isEqualTo(stable ? List.of(CREDIT) : List.of());
              assertThat(i.declaredAt).isEqualTo(answeredAt);
            });
    assertThat(state.wakeAt()).as("asked again in any case").isEqualTo(answeredAt + 2_000);
    assertThat(all).noneMatch(Repair.class::isInstance);
  }

  @Test
  void shouldTurnAnIndeterminateIncidentIntoWhatTheFirstGoodSnapshotShows() {
    Ask ask = halfWritten();
    tell(answer(ask, 3_000, false, torn()));
    ask = ask(tell(new TimePassed(3_500))).orElseThrow();
    Incident first = incident(tell(answer(ask, 63_000, false, torn()))).orElseThrow();
    ask = ask(tell(new TimePassed(65_000))).orElseThrow();

    Incident then = incident(tell(answer(ask, 65_010, true, torn()))).orElseThrow();

    assertThat(then.id).isEqualTo(first.id);
    assertThat(then.verdict).isEqualTo(Verdict.UNCOMMITTED);
    assertThat(then.declaredAt).as("declared once").isEqualTo(63_000);
    assertThat(then.behind).containsExactly(CREDIT);
  }

  @ParameterizedTest
  @CsvSource({"-1, false", "0, true", "1, true"})
  void shouldProbeAnOpenIncidentEveryPatience(long offset, boolean asks) {
    Ask ask = halfWritten();
    tell(answer(ask, 3_100, true, torn()));

    assertThat(ask(tell(new TimePassed(3_100 + PATIENCE + offset))).isPresent()).isEqualTo(asks);
  }

  @Test
  void shouldProbeAnOpenIncidentAtOnceWhereEvidenceCoversItsBehind() {
    Ask ask = halfWritten();
    tell(answer(ask, 3_100, true, torn()));
    seen(20_000, DEBIT, T1);
    assertThat(state.wakeAt()).as("nothing new").isEqualTo(3_100 + PATIENCE);

    seen(20_001, CREDIT, T1);

    assertThat(state.wakeAt()).isEqualTo(20_001);
  }

  @ParameterizedTest
  @CsvSource({"2999, 5100", "3000, 5100", "3001, 3000"})
  void shouldRefuseASnapshotWhereALaterObservationDisagrees(long recordedAt, long askedNext) {
    Ask ask = halfWritten();
    seen(recordedAt, CREDIT, T1); // comes while the probe is under way

    List<Decision> decisions = tell(answer(ask, 3_100, true, torn()));

    // recorded before the ask, the snapshot shows a loss, which has a settle time of its own
    assertThat(incident(decisions)).isEmpty();
    assertThat(decisions.contains(new Counted(Counter.SNAPSHOT_REFUSED)))
        .isEqualTo(recordedAt > ask.askedAt());
    assertThat(state.wakeAt()).isEqualTo(askedNext);
  }

  @Test
  void shouldMarkOnlyAfterOneMoreCleanSnapshot() {
    seen(1_000, DEBIT, T1);
    seen(1_000, CREDIT, T1);
    Ask ask = ask(tell(new TimePassed(3_000))).orElseThrow();
    assertThat(ask.markers()).containsExactly(MARKER);

    List<Decision> first = tell(answer(ask, 3_100, true, written(false)));

    assertThat(incident(first)).hasValueSatisfying(i -> assertThat(i.action).isEqualTo("mark"));
    assertThat(first).noneMatch(Repair.class::isInstance);
    Ask second = ask(tell(new TimePassed(3_100))).orElseThrow();
    List<Decision> decisions = tell(answer(second, 3_200, true, written(false)));
    assertThat(decisions)
        .filteredOn(Repair.class::isInstance)
        .singleElement()
        .satisfies(r -> assertThat(((Repair) r).behind()).containsExactly(MARKER));
  }

  @Test
  void shouldNotMarkWhereTheSecondSnapshotShowsTheMarker() {
    seen(1_000, DEBIT, T1);
    seen(1_000, CREDIT, T1);
    Ask ask = ask(tell(new TimePassed(3_000))).orElseThrow();
    tell(answer(ask, 3_100, true, written(false)));
    Ask second = ask(tell(new TimePassed(3_100))).orElseThrow();

    Incident closed = incident(tell(answer(second, 3_200, true, written(true)))).orElseThrow();

    assertThat(closed.phase).isEqualTo(Incident.Phase.HEALED);
    assertThat(all).noneMatch(Repair.class::isInstance);
  }

  @ParameterizedTest
  @CsvSource({"3600999, false", "3601000, true", "3601001, true"})
  void shouldForgetASilentInstanceAfterItsMemory(long now, boolean forgotten) {
    Judge user = new Judge(World.RELATIONS.named("user").orElseThrow(), true);
    InstanceState quiet = user.fresh("user/1");
    quiet.ownKeys.forEach(
        k -> user.judge(quiet, new Observed(1_000, Reading.stamped(k, T1), "set", false)));

    user.judge(quiet, new TimePassed(now));

    assertThat(quiet.forgotten()).isEqualTo(forgotten);
    assertThat(quiet.wakeAt()).isEqualTo(forgotten ? -1 : 3_601_000);
  }

  @Test
  void shouldNotForgetWhileAnIncidentIsOpen() {
    Ask ask = halfWritten();
    tell(answer(ask, 3_100, true, torn()));

    tell(new TimePassed(3_700_000));

    assertThat(state.forgotten()).isFalse();
    assertThat(state.openIncident()).isNotNull();
  }

  private Ask halfWritten() {
    seen(1_000, DEBIT, T1);
    return ask(tell(new TimePassed(3_000))).orElseThrow();
  }

  private void seen(long at, StoreKey key, Stamp stamp) {
    tell(new Observed(at, Reading.stamped(key, stamp), "set", false));
  }

  private List<Decision> tell(Evidence evidence) {
    List<Decision> decisions = judge.judge(state, evidence);
    all.addAll(decisions);
    return decisions;
  }

  private static SnapshotSeen answer(Ask ask, long at, boolean stable, List<Reading> readings) {
    return new SnapshotSeen(at, ask.seq(), ask.askedAt(), stable, readings, false);
  }

  private static List<Reading> torn() {
    return List.of(Reading.stamped(DEBIT, T1), Reading.of(CREDIT, State.ABSENT), marker(false));
  }

  private static List<Reading> written(boolean marked) {
    return List.of(Reading.stamped(DEBIT, T1), Reading.stamped(CREDIT, T1), marker(marked));
  }

  private static Reading marker(boolean present) {
    return Reading.of(MARKER, present ? State.PRESENT : State.ABSENT);
  }

  private static Optional<Ask> ask(List<Decision> decisions) {
    return decisions.stream().filter(Ask.class::isInstance).map(Ask.class::cast).findFirst();
  }

  private static Optional<Incident> incident(List<Decision> decisions) {
    return decisions.stream()
        .filter(IncidentChanged.class::isInstance)
        .map(d -> ((IncidentChanged) d).incident())
        .findFirst();
  }
}
