package dev.restitch.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.judge.Decision.Ask;
import dev.restitch.judge.Decision.IncidentChanged;
import dev.restitch.judge.Evidence.GapSeen;
import dev.restitch.judge.Evidence.Observed;
import dev.restitch.judge.Evidence.SnapshotSeen;
import dev.restitch.judge.Evidence.TimePassed;
import dev.restitch.judge.Reading.State;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is suspected between an ask and its answer, and tokens that no log holds any more. */
class LateSuspicionsTest {

  private final List<Decision> decisions = new ArrayList<>();

  @Test
  void shouldLookAgainForAGapThatCameBetweenTheAskAndTheAnswerThatHeals() {
    Judge judge = new Judge(World.RELATIONS.named("user").orElseThrow(), false);
    InstanceState state = judge.fresh("user/1");
    StoreKey profile = state.ownKeys.get(0);
    StoreKey settings = state.ownKeys.get(1);
    Stamp stamp = new Stamp(7L, Bytes.utf8("t1"));
    give(judge, state, new Observed(1_000, Reading.stamped(profile, stamp), "set", false));
    answer(
        judge,
        state,
        ask(judge, state, 3_000),
        Reading.stamped(profile, stamp),
        Reading.of(settings, State.ABSENT));
    give(judge, state, new Observed(4_000, Reading.stamped(settings, stamp), "set", false));
    Ask healing = ask(judge, state, 4_000);

    give(judge, state, new GapSeen(4_010, "west", 4_005, 4_010, "disconnect"));
    answer(
        judge, state, healing, Reading.stamped(profile, stamp), Reading.stamped(settings, stamp));

    assertThat(state.openIncident()).isNull();
    assertThat(state.wakeAt()).as("the gap is still to be looked at").isLessThanOrEqualTo(4_100);
  }

  @Test
  void shouldLookAgainWhereAnOverwriteWasRecordedBetweenAskAndAnswerAndReadAfterBoth() {
    Judge judge = new Judge(World.RELATIONS.named("user").orElseThrow(), false);
    InstanceState state = judge.fresh("user/1");
    StoreKey profile = state.ownKeys.get(0);
    StoreKey settings = state.ownKeys.get(1);
    Stamp stamp = new Stamp(7L, Bytes.utf8("t1"));
    give(judge, state, new Observed(1_000, Reading.stamped(profile, stamp), "set", false));
    Ask ask = ask(judge, state, 3_000);
    give(
        judge,
        state,
        new SnapshotSeen(
            3_010,
            ask.seq(),
            ask.askedAt(),
            true,
            List.of(Reading.stamped(profile, stamp), Reading.stamped(settings, stamp)),
            false));

    Stamp older = new Stamp(6L, Bytes.utf8("t0"));
    give(judge, state, new Observed(3_005, Reading.stamped(profile, older), "set", false));

    assertThat(state.wakeAt()).as("the overwrite is to be looked at").isEqualTo(3_005);
  }

  @Test
  void shouldLookAgainWhereADeleteWasRecordedInTheMillisecondOfTheWriteBeforeIt() {
    Judge judge = new Judge(World.RELATIONS.named("user").orElseThrow(), false);
    InstanceState state = judge.fresh("user/1");
    Stamp stamp = new Stamp(7L, Bytes.utf8("t1"));
    for (StoreKey key : state.ownKeys) {
      give(judge, state, new Observed(1_000, Reading.stamped(key, stamp), "set", false));
    }

    Reading gone = Reading.of(state.ownKeys.get(0), State.ABSENT);
    give(judge, state, new Observed(1_000, gone, "del", false));

    assertThat(state.wakeAt()).as("the delete is to be looked at").isEqualTo(1_000);
  }

  @Test
  void shouldNotMissTokensThatHaveLeftEveryWindow() {
    Judge judge = new Judge(World.RELATIONS.named("feed").orElseThrow(), false);
    InstanceState state = judge.fresh("feed/1");
    for (StoreKey log : state.ownKeys) {
      give(judge, state, new Observed(1_000, window(log, "t1"), "rpush", false));
    }
    for (StoreKey log : state.ownKeys) {
      give(judge, state, new Observed(9_000, window(log, "t2"), "rpush", false));
    }
    give(judge, state, new GapSeen(9_100, "east", 9_000, 9_100, "disconnect"));
    for (int i = 0; i < 5 && state.wakeAt() >= 0 && state.wakeAt() < 60_000; i++) {
      Ask ask = ask(judge, state, state.wakeAt());
      answer(
          judge,
          state,
          ask,
          state.ownKeys.stream().map(log -> window(log, "t2")).toArray(Reading[]::new));
    }

    assertThat(decisions).anyMatch(Ask.class::isInstance);
    assertThat(decisions).noneMatch(IncidentChanged.class::isInstance);
  }

  private static Reading window(StoreKey log, String... tokens) {
    List<Bytes> window = List.of(tokens).stream().map(Bytes::utf8).toList();
    return new Reading(log, State.STAMPED, null, window, null, null, null, null, null);
  }

  private void give(Judge judge, InstanceState state, Evidence evidence) {
    decisions.addAll(judge.judge(state, evidence));
  }

  private Ask ask(Judge judge, InstanceState state, long at) {
    List<Decision> made = judge.judge(state, new TimePassed(at));
    decisions.addAll(made);
    Optional<Ask> ask =
        made.stream().filter(Ask.class::isInstance).map(Ask.class::cast).findFirst();
    return ask.orElseThrow();
  }

  private void answer(Judge judge, InstanceState state, Ask ask, Reading... readings) {
    give(
        judge,
        state,
        new SnapshotSeen(
            ask.askedAt() + 50, ask.seq(), ask.askedAt(), true, List.of(readings), false));
  }
}
