package dev.restitch.replay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deadlines of commit markers, one millisecond before, at and after each. */
class MarkerThresholdsTest {

  private static final String WRITTEN =
      """
      900 intent 7:t1 pay:1:debit pay:1:credit marker=txn:t1:committed~ttl=20000
      1000 set pay:1:debit 7:t1
      1000 set pay:1:credit 7:t1
      """;

  @ParameterizedTest
  @CsvSource({"2999, 0", "3000, 0", "3001, 1"})
  void shouldReadTheMarkerAtTheDeadline(long marked, int incidents) {
    assertThat(
            Tale.of(WRITTEN)
                .tell(marked + " set txn:t1:committed present")
                .tell("20000 end")
                .found())
        .hasSize(incidents)
        .allMatch("3000 pay/1 MARKER_MISSING 7:t1 txn:t1:committed HEALED report"::equals);
  }

  @ParameterizedTest
  @CsvSource({"2999, 0", "3000, 1", "3001, 1"})
  void shouldCallAMarkerMissingAtTheDeadline(long end, int incidents) {
    assertThat(Tale.of(WRITTEN).tell(end + " end").found())
        .hasSize(incidents)
        .allMatch("3000 pay/1 MARKER_MISSING 7:t1 txn:t1:committed OPEN report"::equals);
  }

  @ParameterizedTest
  @CsvSource({"2999, COMMITTED_TORN", "3000, COMMITTED_TORN", "3001, UNCOMMITTED"})
  void shouldTellCommittedFromUncommittedByTheMarkerAtTheDeadline(long marked, String verdict) {
    assertThat(
            Tale.of(
                    """
                    900 intent 7:t1 pay:1:debit pay:1:credit
                    1000 set pay:1:debit 7:t1
                    """)
                .tell(marked + " set txn:t1:committed present")
                .tell(Math.max(marked, 3000) + " end")
                .found())
        .containsExactly("3000 pay/1 " + verdict + " 7:t1 pay:1:credit OPEN report");
  }

  @ParameterizedTest
  @CsvSource({"2999, 0", "3000, 0", "3001, 1"})
  void shouldTakeADonesWordForTheMarker(long done, int incidents) {
    assertThat(
            Tale.of(WRITTEN)
                .tell(done + " done 7:t1 pay:1:debit=ok pay:1:credit=ok marker=ok")
                .tell("20000 end")
                .found())
        .hasSize(incidents)
        .allMatch("3000 pay/1 MARKER_MISSING 7:t1 txn:t1:committed HEALED report"::equals);
  }

  @ParameterizedTest
  @CsvSource({
    "5s, 25999, 0", "5s, 26000, 1", "5s, 26001, 1",
    "1s, 22999, 0", "1s, 23000, 1", "1s, 23001, 1"
  })
  void shouldWaitTheGreaterOfSettleAndToleranceAfterTheMarkersEnd(
      String tolerance, long end, int incidents) {
    assertThat(
            Tale.with("pay", "ttl-tolerance: " + tolerance, WRITTEN)
                .tell("1000 set txn:t1:committed present")
                .tell(end + " end")
                .verdicts())
        .hasSize(incidents)
        .allMatch("MARKER_EXPIRED"::equals);
  }

  @ParameterizedTest
  @CsvSource({"25999, 0", "26000, 1", "26001, 1"})
  void shouldReportAMarkerThatASideOutlivesByAtLeastTheTolerance(long expires, int incidents) {
    assertThat(
            Tale.of("900 intent 7:t1 pay:1:debit pay:1:credit marker=txn:t1:committed~ttl=20000")
                .tell("1000 set pay:1:debit 7:t1~expires=" + expires)
                .tell("1000 set pay:1:credit 7:t1~expires=" + expires)
                .tell("1000 set txn:t1:committed present")
                .tell("26000 end")
                .verdicts())
        .hasSize(incidents)
        .allMatch("MARKER_EXPIRED"::equals);
  }

  @Test
  void shouldTakeTheRelationsTtlWhereTheIntentNamesNone() {
    String history =
        """
        1000 set pay:1:debit 7:t1
        1000 set pay:1:credit 7:t1
        1500 set txn:t1:committed present
        """;
    assertThat(Tale.of(history).tell("3606499 end").found()).isEmpty();
    assertThat(Tale.of(history).tell("3606500 end").found())
        .containsExactly("3606500 pay/1 MARKER_EXPIRED 7:t1 txn:t1:committed OPEN report");
  }

  @ParameterizedTest
  @CsvSource({"25999, 0", "26000, 0", "26001, 1"})
  void shouldSeeAMarkerThatWasSetAnewBeforeItIsJudged(long again, int incidents) {
    assertThat(
            Tale.of(WRITTEN)
                .tell("1000 set txn:t1:committed present")
                .tell(again + " set txn:t1:committed present")
                .tell("30000 end")
                .found())
        .hasSize(incidents)
        .allMatch("26000 pay/1 MARKER_EXPIRED 7:t1 txn:t1:committed HEALED report"::equals);
  }

  @Test
  void shouldNotMissAMarkerThatWasDeletedBeforeItsEndOfLife() {
    assertThat(
            Tale.of(WRITTEN)
                .tell("1500 set txn:t1:committed present")
                .tell("9000 del txn:t1:committed absent")
                .tell("20000 end")
                .found())
        .as("a later deletion goes unseen until the marker's end of life")
        .isEmpty();
  }
}
