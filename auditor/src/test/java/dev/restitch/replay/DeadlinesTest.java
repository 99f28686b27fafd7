package dev.restitch.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.model.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deadlines of MODEL.md, section 4, one millisecond before, at and after each. */
class DeadlinesTest {

  private static final String WHOLE =
      """
      1000 set user:1:profile 8:t2
      1000 set user:1:settings 8:t2
      """;

  @ParameterizedTest
  @CsvSource({"2999, 0", "3000, 1", "3001, 1"})
  void shouldSettleFromTheIntentWhereNoStampWasSeen(long end, long notApplied) {
    Tale tale = Tale.of("1000 intent 7:t1 user:1:profile user:1:settings").tell(end + " end");

    assertThat(tale.found()).isEmpty();
    assertThat(tale.totals().settled(Verdict.NOT_APPLIED)).isEqualTo(notApplied);
  }

  @ParameterizedTest
  @CsvSource({"2999, 0", "3000, 1", "3001, 1"})
  void shouldSettleFromTheIntentWhereOnlyTheDoneTellsOfTheWrite(long end, int incidents) {
    assertThat(
            Tale.of(
                    """
                    100 set user:1:profile 6:t0
                    100 set user:1:settings 6:t0
                    1000 intent 7:t1 user:1:profile user:1:settings
                    1500 done 7:t1 user:1:profile=ok user:1:settings=unknown
                    """)
                .tell(end + " end")
                .verdicts())
        .hasSize(incidents)
        .allMatch("TORN_MISSING"::equals);
  }

  @ParameterizedTest
  @CsvSource({"11999, 0", "12000, 1", "12001, 1"})
  void shouldSettleAfterARegression(long end, int incidents) {
    assertThat(Tale.of(WHOLE).tell("10000 set user:1:profile 7:t1").tell(end + " end").verdicts())
        .hasSize(incidents)
        .allMatch("TORN_OVERWRITTEN"::equals);
  }

  @ParameterizedTest
  @CsvSource({"11999, 0", "12000, 0", "12001, 1"})
  void shouldForgiveARegressionThatIsMendedUpToItsDeadline(long mended, int incidents) {
    assertThat(
            Tale.of(WHOLE)
                .tell("10000 set user:1:profile 7:t1")
                .tell(mended + " set user:1:profile 8:t2")
                .tell("200000 end")
                .found())
        .hasSize(incidents)
        .allMatch("12000 user/1 TORN_OVERWRITTEN 8:t2 user:1:profile HEALED report"::equals);
  }

  @Test
  void shouldSettleFromTheLaterOfFirstStampAndRegression() {
    // the regression comes inside the settle time that the first stamp began
    assertThat(Tale.of(WHOLE).tell("2500 set user:1:profile 7:t1").tell("20000 end").found())
        .containsExactly("4500 user/1 TORN_OVERWRITTEN 8:t2 user:1:profile OPEN report");
  }

  @ParameterizedTest
  @CsvSource({"11999, 0", "12000, 1", "12001, 1"})
  void shouldSettleAfterALoss(long end, int incidents) {
    assertThat(Tale.of(WHOLE).tell("10000 del user:1:profile absent").tell(end + " end").verdicts())
        .hasSize(incidents)
        .allMatch("SIDE_DELETED"::equals);
  }

  @ParameterizedTest
  @CsvSource({"11999, 0", "12000, 1", "12001, 1"})
  void shouldSettleAfterAnEvictionLikeAnyLoss(long end, int incidents) {
    assertThat(
            Tale.of(WHOLE)
                .tell("10000 evicted user:1:profile absent")
                .tell(end + " end")
                .verdicts())
        .hasSize(incidents)
        .allMatch("SIDE_EVICTED"::equals);
  }

  @ParameterizedTest
  @CsvSource({
    "5s, 14999, 0", "5s, 15000, 1", "5s, 15001, 1",
    "1s, 11999, 0", "1s, 12000, 1", "1s, 12001, 1"
  })
  void shouldWaitTheGreaterOfSettleAndToleranceAfterAnExpiry(
      String tolerance, long end, int incidents) {
    assertThat(
            Tale.with("user", "ttl-tolerance: " + tolerance, WHOLE)
                .tell("10000 expired user:1:profile absent")
                .tell(end + " end")
                .verdicts())
        .hasSize(incidents)
        .allMatch("SIDE_EXPIRED"::equals);
  }

  @ParameterizedTest
  @CsvSource({"14999, 0", "15000, 1", "15001, 1"})
  void shouldCountASideThatIsPastItsOwnExpiryAsExpired(long end, int incidents) {
    assertThat(
            Tale.of(
                    """
                    1000 set user:1:profile 8:t2~expires=10000
                    1000 set user:1:settings 8:t2
                    """)
                .tell(end + " end")
                .found())
        .hasSize(incidents)
        .allMatch("15000 user/1 SIDE_EXPIRED 8:t2 user:1:profile OPEN report"::equals);
  }

  @ParameterizedTest
  @CsvSource({"14999, 0", "15000, 1", "15001, 1"})
  void shouldReportAnExpiryThatASiblingOutlivesByAtLeastTheTolerance(long sibling, int incidents) {
    assertThat(
            Tale.of("")
                .tell("1000 set user:1:profile 8:t2~expires=10000")
                .tell("1000 set user:1:settings 8:t2~expires=" + sibling)
                .tell("10000 expired user:1:profile absent")
                .tell("15000 end")
                .verdicts())
        .hasSize(incidents)
        .allMatch("SIDE_EXPIRED"::equals);
  }

  @ParameterizedTest
  @CsvSource({"13999, 0", "14000, 0", "14001, 1"})
  void shouldExplainAnExpiryByTheTransactionsOwnTtlOnceItHasPassed(long ttl, int incidents) {
    // seen at 1000, judged at 15000
    assertThat(
            Tale.of("900 intent 8:t2 user:1:profile~ttl=" + ttl + " user:1:settings")
                .tell(WHOLE)
                .tell("10000 expired user:1:profile absent")
                .tell("15000 end")
                .verdicts())
        .hasSize(incidents)
        .allMatch("SIDE_EXPIRED"::equals);
  }

  @ParameterizedTest
  @CsvSource({"899, TORN_MISSING", "900, TORN_MISSING", "901, SIDE_DELETED"})
  void shouldCountADeletionAfterTheFirstEvidenceAsSeen(long deleted, String verdict) {
    assertThat(
            Tale.of(
                    """
                    100 set user:1:profile 6:t0
                    100 set user:1:settings 6:t0
                    """)
                .tell("899 set user:1:profile 6:t0")
                .tell(deleted == 899 ? "899 del user:1:settings absent" : "")
                .tell("900 intent 7:t1 user:1:profile user:1:settings")
                .tell(deleted == 899 ? "" : deleted + " del user:1:settings absent")
                .tell("1000 set user:1:profile 7:t1")
                .tell("20000 end")
                .found())
        .containsExactly("3000 user/1 " + verdict + " 7:t1 user:1:settings OPEN report");
  }

  @ParameterizedTest
  @CsvSource({
    "2999, 4999, TORN_CROSSED 8:t2 order:1:notes",
    "3000, 5000, TORN_CROSSED 8:t2 order:1:notes",
    "3001, 3000, TORN_MISSING 7:t1 order:1:lines"
  })
  void shouldLookAgainWhereAnotherTransactionIsInsideItsSettleTime(
      long other, long declared, String found) {
    assertThat(
            Tale.of("900 intent 7:t1 order:1:head order:1:lines")
                .tell("950 intent 8:t2 order:1:totals order:1:notes")
                .tell("1000 set order:1:head 7:t1")
                .tell(other + " set order:1:totals 8:t2")
                .tell((other == 3001 ? 3001 : 20000) + " end")
                .found())
        .containsExactly(declared + " order/1 " + found + " OPEN report");
  }

  @Test
  void shouldNotWaitForOthersLongerThanOneSettle() {
    assertThat(
            Tale.of(
                    """
                    900 intent 7:t1 order:1:head order:1:lines
                    1000 set order:1:head 7:t1
                    2900 intent 8:t2 order:1:totals order:1:notes
                    2900 set order:1:totals 8:t2
                    4800 set order:1:notes 8:t2
                    4850 intent 9:t3 order:1:totals order:1:notes
                    4850 set order:1:totals 9:t3
                    5000 end
                    """)
                .found())
        .containsExactly("5000 order/1 TORN_MISSING 7:t1 order:1:lines OPEN report");
  }

  @ParameterizedTest
  @CsvSource({"2999, 0", "3000, 1", "3001, 1"})
  void shouldCallAnOpenTailOfALogAHoleAtItsDeadline(long end, int incidents) {
    assertThat(
            Tale.of(
                    """
                    1000 rpush log:1:a [t1]
                    1010 rpush log:1:b [t1]
                    """)
                .tell(end + " end")
                .found())
        .hasSize(incidents)
        .allMatch("3000 log/1 LOG_HOLE t1 log:1:c OPEN report"::equals);
  }

  @ParameterizedTest
  @CsvSource({
    "8999, unstamped, 0", "9000, unstamped, 0", "9001, unstamped, 1",
    "8999, absent, 0", "9000, absent, 0", "9001, absent, 1",
    "8999, 7:t9, 0", "9000, 7:t9, 0", "9001, 7:t9, 1"
  })
  void shouldLetTheGreatestRecordedTimeWinAndThenTheStamp(long other, String value, int incidents) {
    // whichever line comes first
    String a = other + " seen user:1:settings " + value;
    String b = "9000 seen user:1:settings 8:t2";
    assertThat(Tale.of(WHOLE).tell(a).tell(b).tell("20000 end").verdicts()).hasSize(incidents);
    assertThat(Tale.of(WHOLE).tell(b).tell(a).tell("20000 end").verdicts()).hasSize(incidents);
  }

  @Test
  void shouldLetUnstampedWinOverAbsentAtEqualTimes() {
    String a = "9000 seen user:1:settings unstamped";
    String b = "9000 del user:1:settings absent";
    assertThat(Tale.of(WHOLE).tell(a).tell(b).tell("20000 end").verdicts())
        .containsExactly("FOREIGN_WRITE");
    assertThat(Tale.of(WHOLE).tell(b).tell(a).tell("20000 end").verdicts())
        .containsExactly("FOREIGN_WRITE");
  }

  @Test
  void shouldLetTheGreaterTokenWinAtEqualTimesAndVersions() {
    String first = "900 set doc:1:body t1\n900 set doc:1:index t2\n";
    String a = "1000 set doc:1:body t1";
    String b = "1000 set doc:1:body t2";
    assertThat(Tale.of(first).tell(a).tell(b).tell("20000 end").verdicts()).isEmpty();
    assertThat(Tale.of(first).tell(b).tell(a).tell("20000 end").verdicts()).isEmpty();
  }

  @Test
  void shouldLetTheLongerWindowOfALogWinAtEqualTimes() {
    String others = "1000 rpush log:1:b [t1,t2]\n1000 rpush log:1:c [t1,t2]\n";
    String a = "1000 rpush log:1:a [t1]";
    String b = "1000 rpush log:1:a [t1,t2]";
    assertThat(Tale.of(others).tell(a).tell(b).tell("20000 end").verdicts()).isEmpty();
    assertThat(Tale.of(others).tell(b).tell(a).tell("20000 end").verdicts()).isEmpty();
  }
}
