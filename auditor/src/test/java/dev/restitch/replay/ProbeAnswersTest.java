package dev.restitch.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.judge.Incident;
import dev.restitch.model.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a replay answers the judge's probes (ARCHITECTURE.md, "The history file"). */
class ProbeAnswersTest {

  private static final String HALF =
      """
      500 set user:1:settings 6:t0
      500 set user:1:profile 6:t0
      1000 set user:1:profile 7:t1
      """;

  @Test
  void shouldConvictOnTheRecordedSnapshot() {
    Incident incident =
        Tale.of(HALF)
            .tell("3100 probe user/1 asked=3010 user:1:profile=7:t1 user:1:settings=6:t0")
            .tell("3100 end")
            .replay()
            .get(0)
            .incident();

    assertThat(incident.declaredAt).isEqualTo(3100);
    assertThat(incident.fromObservations).isFalse();
  }

  @Test
  void shouldConvictOnTheObservationsWhereNoSnapshotWasRecorded() {
    Incident incident = Tale.of(HALF).tell("9000 end").replay().get(0).incident();

    assertThat(incident.declaredAt).isEqualTo(3000);
    assertThat(incident.fromObservations).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"62999, 0", "63000, 0", "63001, 1"})
  void shouldWaitForARecordedSnapshotAsLongAsItsPatience(long answered, int incidents) {
    // the ask is made at 3000; the answer shows that the lost notification was one of a write
    assertThat(
            Tale.of(HALF)
                .tell(answered + " probe user/1 user:1:profile=7:t1 user:1:settings=7:t1")
                .tell("200000 end")
                .found())
        .hasSize(incidents)
        .allMatch("3000 user/1 TORN_MISSING 7:t1 user:1:settings HEALED report"::equals);
  }

  @ParameterizedTest
  @CsvSource({"2999, true", "3000, false", "3001, false"})
  void shouldNotConvictOnASnapshotAskedBeforeTheDeadline(long asked, boolean askedAgain) {
    List<Replay.Found> found =
        Tale.of(HALF)
            .tell(
                "3100 probe user/1 asked=%d user:1:profile=7:t1 user:1:settings=6:t0"
                    .formatted(asked))
            .tell("20000 end")
            .replay();

    assertThat(found).hasSize(1);
    assertThat(found.get(0).incident().verdict).isEqualTo(Verdict.TORN_MISSING);
    assertThat(found.get(0).incident().declaredAt).isEqualTo(3100);
    assertThat(found.get(0).incident().fromObservations).isEqualTo(askedAgain);
  }

  @Test
  void shouldTakeTheFirstSnapshotAfterTheAsk() {
    assertThat(
            Tale.of(HALF)
                .tell("3100 probe user/1 asked=3010 user:1:profile=7:t1 user:1:settings=6:t0")
                .tell("3200 probe user/1 asked=3110 user:1:profile=7:t1 user:1:settings=7:t1")
                .tell("3200 end")
                .found())
        .as("the second answers nothing, but covers what is behind")
        .containsExactly("3100 user/1 TORN_MISSING 7:t1 user:1:settings HEALED report");
  }

  @Test
  void shouldNotTakeASweepForTheAnswerOfAProbe() {
    assertThat(
            Tale.of(HALF)
                .tell("3100 sweep user/1 user:1:profile=7:t1 user:1:settings=6:t0")
                .tell("3100 end")
                .found())
        .containsExactly("3000 user/1 TORN_MISSING 7:t1 user:1:settings OPEN report");
  }

  @Test
  void shouldAskAtOnceForWhatASweepSawDisagree() {
    assertThat(
            Tale.of(
                    """
                    9000 sweep user/1 user:1:profile=7:t1 user:1:settings=6:t0
                    20000 end
                    """)
                .found())
        .as("a stamp's first sighting begins the settle time, a sweep's too")
        .containsExactly("11000 user/1 TORN_MISSING 7:t1 user:1:settings OPEN report");
  }

  @ParameterizedTest
  @CsvSource({"999, 0", "1000, 1", "1001, 1"})
  void shouldAskForAnInstanceWhoseLastEvidenceAGapCovers(long to, long asks) {
    String whole = "1000 set user:1:profile 7:t1\n1000 set user:1:settings 7:t1\n";
    assertThat(Tale.of(whole).tell("9000 gap east 500 " + to).tell("10000 end").totals().asks)
        .isEqualTo(asks);
    assertThat(Tale.of(whole).tell("9000 gap main 500 " + to).tell("10000 end").totals().asks)
        .as("a gap of a store that holds no side")
        .isZero();
  }

  @Test
  void shouldFindBehindAGapWhatNoNotificationTold() {
    assertThat(
            Tale.of(
                    """
                    1000 set user:1:profile 7:t1
                    1000 set user:1:settings 7:t1
                    60000 gap east 40000 60000
                    60040 probe user/1 user:1:profile=8:t2 user:1:settings=7:t1
                    62100 probe user/1 user:1:profile=8:t2 user:1:settings=7:t1
                    70000 end
                    """)
                .found())
        .containsExactly("62100 user/1 TORN_MISSING 8:t2 user:1:settings OPEN report");
  }

  @Test
  void shouldLetTimersThatLateEvidenceSetsInThePastFireNow() {
    // recorded out of order: the profile's stamp is two minutes old when its line comes
    assertThat(
            Tale.of(
                    """
                    500 set user:1:profile 6:t0
                    500 set user:1:settings 6:t0
                    120000 set user:2:profile 1:x
                    1000 set user:1:profile 7:t1
                    120000 set user:2:settings 1:x
                    121000 end
                    """)
                .found())
        .containsExactly("120000 user/1 TORN_MISSING 7:t1 user:1:settings OPEN report");
  }

  @Test
  void shouldLetEvidenceOfTheSameMillisecondGoBeforeAnOverdueTimer() {
    assertThat(
            Tale.of(
                    """
                    120000 set user:2:profile 1:x
                    120000 set user:2:settings 1:x
                    1000 set user:1:profile 7:t1
                    120000 set user:1:settings 7:t1
                    121000 end
                    """)
                .found())
        .isEmpty();
  }

  @Test
  void shouldMeetDeadlinesUpToTheLastLineWithoutAnEnd() {
    assertThat(Tale.of(HALF).tell("2999 set user:2:profile unstamped").found()).isEmpty();
    assertThat(Tale.of(HALF).tell("3000 set user:2:profile unstamped").found())
        .containsExactly("3000 user/1 TORN_MISSING 7:t1 user:1:settings OPEN report");
  }

  @Test
  void shouldLookAtAnOpenIncidentEveryPatience() {
    // the notification of the write that mends it is lost; only a later probe shows it
    assertThat(
            Tale.of(HALF)
                .tell("62950 probe user/1 user:1:profile=7:t1 user:1:settings=6:t0")
                .tell("63000 set user:9:profile unstamped")
                .tell("122951 probe user/1 user:1:profile=7:t1 user:1:settings=7:t1")
                .tell("122951 end")
                .found())
        .containsExactly("62950 user/1 TORN_MISSING 7:t1 user:1:settings HEALED report");
  }

  @Test
  void shouldAskForKeysOfOtherInstancesByTheirLastObservations() {
    assertThat(
            Tale.of(
                    """
                    900 intent 41:x acct:1:balance acct:2:balance
                    950 set acct:2:balance 40:w
                    1000 set acct:1:balance 41:x
                    20000 end
                    """)
                .found())
        .as("acct/2 sees x at its ask at 2900, and judges one settle time later")
        .containsExactly("4900 acct/2 TORN_MISSING 41:x acct:2:balance OPEN report");
  }
}
