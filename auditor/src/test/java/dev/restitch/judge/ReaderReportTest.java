package dev.restitch.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.config.RelationConfig;
import dev.restitch.judge.Decision.Ask;
import dev.restitch.judge.Decision.IncidentChanged;
import dev.restitch.judge.Evidence.Observed;
import dev.restitch.judge.Evidence.SnapshotSeen;
import dev.restitch.judge.Evidence.TimePassed;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.model.Verdict;
import dev.restitch.stamp.Stamp;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A reader that saw stamps disagree has the instance probed at once, and again at the deadline. */
class ReaderReportTest {

  private static final StoreKey PROFILE = new StoreKey("east", Bytes.utf8("user:1:profile"));
  private static final StoreKey SETTINGS = new StoreKey("west", Bytes.utf8("user:1:settings"));

  private final RelationConfig relation = World.RELATIONS.named("user").orElseThrow();
  private final long settle = relation.settle().toMillis();
  private final Judge judge = new Judge(relation, true);
  private final InstanceState state = judge.fresh("user/1");
  private final Reading newer = Reading.stamped(PROFILE, new Stamp(7L, Bytes.utf8("t7")));
  private final Reading older = Reading.stamped(SETTINGS, new Stamp(6L, Bytes.utf8("t6")));

  @Test
  void shouldProbeAtOnceWhatAReaderReports() {
    judge.judge(state, new Observed(10_000, newer, null, true));

    assertThat(state.wakeAt()).isEqualTo(10_000);
    Ask ask = ask(judge.judge(state, new TimePassed(10_000)));
    assertThat(ask.askedAt()).isEqualTo(10_000);
    assertThat(ask.keys()).containsExactly(PROFILE, SETTINGS);
    assertThat(ask.reason()).contains("reader");
  }

  @Test
  void shouldNotProbeBeforeTheDeadlineWhatAWatcherSaw() {
    judge.judge(state, new Observed(10_000, newer, "set", false));
    judge.judge(state, new Observed(10_000, older, "set", false));

    assertThat(state.wakeAt()).isEqualTo(10_000 + settle);
  }

  @Test
  void shouldAskAgainExactlyAtTheDeadlineBeforeItConvicts() {
    report(10_000);
    Ask early = ask(judge.judge(state, new TimePassed(10_000)));

    List<Decision> tooEarly = judge.judge(state, answer(10_005, early));

    assertThat(tooEarly).noneMatch(IncidentChanged.class::isInstance);
    assertThat(state.wakeAt()).isEqualTo(10_000 + settle);
    assertThat(judge.judge(state, new TimePassed(10_000 + settle - 1)))
        .noneMatch(Ask.class::isInstance);
    Ask due = ask(judge.judge(state, new TimePassed(10_000 + settle)));
    assertThat(due.askedAt()).isEqualTo(10_000 + settle);
    List<Decision> verdict = judge.judge(state, answer(10_000 + settle + 5, due));
    assertThat(verdict)
        .filteredOn(IncidentChanged.class::isInstance)
        .singleElement()
        .extracting(d -> ((IncidentChanged) d).incident().verdict)
        .isEqualTo(Verdict.TORN_MISSING);
  }

  @Test
  void shouldLetAWriteThatWasUnderWayGo() {
    report(10_000);
    Ask early = ask(judge.judge(state, new TimePassed(10_000)));
    Reading caughtUp = Reading.stamped(SETTINGS, new Stamp(7L, Bytes.utf8("t7")));

    List<Decision> decisions =
        judge.judge(
            state,
            new SnapshotSeen(
                10_005, early.seq(), early.askedAt(), true, List.of(newer, caughtUp), false));

    assertThat(decisions).noneMatch(IncidentChanged.class::isInstance);
    assertThat(judge.judge(state, new TimePassed(10_000 + settle)))
        .noneMatch(Ask.class::isInstance);
  }

  @Test
  void shouldProbeOnceMoreForAReportThatContradictsTheAnswer() {
    report(10_000);
    Ask first = ask(judge.judge(state, new TimePassed(10_000)));
    Reading newest = Reading.stamped(SETTINGS, new Stamp(8L, Bytes.utf8("t8")));
    judge.judge(state, new Observed(10_002, newest, null, true));

    judge.judge(state, answer(10_005, first));

    assertThat(state.wakeAt()).isLessThanOrEqualTo(10_005);
    assertThat(ask(judge.judge(state, new TimePassed(10_005))).seq()).isGreaterThan(first.seq());
  }

  private void report(long at) {
    judge.judge(state, new Observed(at, newer, null, true));
    judge.judge(state, new Observed(at, older, null, true));
  }

  private SnapshotSeen answer(long at, Ask ask) {
    return new SnapshotSeen(at, ask.seq(), ask.askedAt(), true, List.of(newer, older), false);
  }

  private static Ask ask(List<Decision> decisions) {
    return decisions.stream()
        .filter(Ask.class::isInstance)
        .map(Ask.class::cast)
        .findFirst()
        .orElseThrow();
  }
}
