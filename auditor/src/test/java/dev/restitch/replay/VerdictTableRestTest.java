package dev.restitch.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.judge.Decision.Counter;
import dev.restitch.model.Verdict;
import org.junit.jupiter.api.Test;

/** The rest of the table of verdicts: each with its nearest neighbours. */
class VerdictTableRestTest {

  // ---- TORN_CROSSED

  @Test
  void shouldFindTwoTransactionsTornAtOnce() {
    found(
        """
        900 intent 7:t1 order:1:head order:1:lines
        900 intent 8:t2 order:1:totals order:1:notes
        1000 set order:1:head 7:t1
        1000 set order:1:totals 8:t2
        """,
        "3000 order/1 TORN_CROSSED 8:t2 order:1:notes OPEN report");
  }

  @Test
  void shouldNotReportATransactionWhereANewerTornOneWritesAllThatItMisses() {
    found(
        """
        900 intent 7:t1 order:1:head order:1:lines
        900 intent 8:t2 order:1:lines order:1:totals
        1000 set order:1:head 7:t1
        1000 set order:1:totals 8:t2
        """,
        "3000 order/1 TORN_MISSING 8:t2 order:1:lines OPEN report");
  }

  @Test
  void shouldReportOnlyTheTornOneWhereTheOtherIsWhole() {
    found(
        """
        900 intent 7:t1 order:1:head order:1:lines
        900 intent 8:t2 order:1:totals order:1:notes
        1000 set order:1:head 7:t1
        1000 set order:1:totals 8:t2
        1000 set order:1:notes 8:t2
        """,
        "3000 order/1 TORN_MISSING 7:t1 order:1:lines OPEN report");
  }

  // ---- COMMITTED_TORN, UNCOMMITTED, TORN_OVERWRITTEN, TORN_MISSING

  @Test
  void shouldTellCommittedUncommittedAndUnmarkedApart() {
    String half = "1000 set pay:1:debit 7:t1\n";
    found(
        half + "1500 set txn:t1:committed present",
        "3000 pay/1 COMMITTED_TORN 7:t1 pay:1:credit OPEN report");
    found(half, "3000 pay/1 UNCOMMITTED 7:t1 pay:1:credit OPEN report");
    found(
        half + "1500 set txn:t9:committed present",
        "3000 pay/1 UNCOMMITTED 7:t1 pay:1:credit OPEN report");
    found(
        "1000 set user:1:profile 7:t1",
        "3000 user/1 TORN_MISSING 7:t1 user:1:settings OPEN report");
  }

  @Test
  void shouldTakeASightingOfTheMarkerForAnEffect() {
    // no side was ever seen at t1, and its marker says that it committed
    found(
        """
        100 set pay:1:debit 6:t0
        100 set pay:1:credit 6:t0
        110 set txn:t0:committed present
        900 intent 7:t1 pay:1:debit pay:1:credit
        1500 set txn:t1:committed present
        """,
        "2900 pay/1 COMMITTED_TORN 7:t1 pay:1:debit,pay:1:credit OPEN report");
  }

  @Test
  void shouldFindALateOverwriteAfterBothTransactionsClosed() {
    found(
        """
        1000 set user:1:profile 7:t1
        1000 set user:1:settings 7:t1
        5000 set user:1:profile 8:t2
        5000 set user:1:settings 8:t2
        600000 set user:1:settings 7:t1
        """,
        "602000 user/1 TORN_OVERWRITTEN 8:t2 user:1:settings OPEN report");
  }

  @Test
  void shouldFindALateOverwriteOfBothSidesWhichAgreeAndAreOld() {
    // equal tokens at rest, and t2 lost: S(k) is below t2 on every side
    found(
        """
        1000 set user:1:profile 7:t1
        1000 set user:1:settings 7:t1
        5000 set user:1:profile 8:t2
        5000 set user:1:settings 8:t2
        9000 set user:1:settings 7:t1
        9000 set user:1:profile 7:t1
        """,
        "11000 user/1 TORN_OVERWRITTEN 8:t2 user:1:profile,user:1:settings OPEN report");
  }

  @Test
  void shouldJudgeOverlappingWriteSetsWhole() {
    found(
        """
        900 intent 7:t1 order:1:head order:1:lines
        900 intent 8:t2 order:1:lines order:1:totals
        1000 set order:1:head 7:t1
        1000 set order:1:lines 8:t2
        1000 set order:1:totals 8:t2
        """);
  }

  // ---- DIVERGED

  @Test
  void shouldFindAPayloadThatIsNotTheIntents() {
    String intent = "900 intent 7:t1 user:1:profile~digest=aa user:1:settings~digest=bb\n";
    found(
        intent + "1000 set user:1:profile 7:t1~digest=aa\n1000 set user:1:settings 7:t1~digest=cc",
        "3000 user/1 DIVERGED 7:t1 user:1:settings OPEN report");
    found(
        intent + "1000 set user:1:profile 7:t1~digest=AA\n1000 set user:1:settings 7:t1~digest=BB");
    found(intent + "1000 set user:1:profile 7:t1\n1000 set user:1:settings 7:t1");
    found(
        intent
            + "1000 set user:1:profile 7:t1~digest=aa\n1000 set user:1:settings 8:t2~digest=cc\n"
            + "1000 set user:1:profile 8:t2~digest=dd");
  }

  // ---- UNDECIDED, UNCLAIMED

  @Test
  void shouldCountTheUndecidedAndDeclareThemByChoice() {
    String history =
        """
        100 intent 6:t0 order:1:head order:1:lines
        100 set order:1:head 6:t0
        100 set order:1:lines 6:t0
        900 intent 7:t1 order:1:head order:1:lines
        950 intent 8:t2 order:1:head
        1000 set order:1:head 8:t2
        """;
    Tale counted = Tale.of(history).tell("20000 end");
    assertThat(counted.found()).isEmpty();
    assertThat(counted.totals().count(Counter.UNDECIDED)).isEqualTo(1);

    assertThat(
            Tale.with("order", "verdicts: { UNDECIDED: declare }", history)
                .tell("20000 end")
                .found())
        .containsExactly("2900 order/1 UNDECIDED 7:t1 order:1:lines OPEN report");
  }

  @Test
  void shouldBelieveADoneThatTellsOfAnUndecidedTransaction() {
    String history =
        """
        100 intent 6:t0 order:1:head order:1:lines
        100 set order:1:head 6:t0
        100 set order:1:lines 6:t0
        900 intent 7:t1 order:1:head order:1:lines
        950 intent 8:t2 order:1:head
        1000 set order:1:head 8:t2
        """;
    // it failed on the head: there is no half of it
    Tale failed =
        Tale.of(history)
            .tell("1100 done 7:t1 order:1:head=failed order:1:lines=failed")
            .tell("20000 end");
    assertThat(failed.found()).isEmpty();
    assertThat(failed.totals().count(Counter.UNDECIDED)).isZero();
    // it was written to the head: a half of it stood there
    assertThat(
            Tale.of(history)
                .tell("1100 done 7:t1 order:1:head=ok order:1:lines=failed")
                .tell("20000 end")
                .found())
        .containsExactly("2900 order/1 TORN_MISSING 7:t1 order:1:lines OPEN report");
    // the writer does not know: nobody tells
    assertThat(
            Tale.of(history)
                .tell("1100 done 7:t1 order:1:head=unknown order:1:lines=failed")
                .tell("20000 end")
                .totals()
                .count(Counter.UNDECIDED))
        .isEqualTo(1);
  }

  @Test
  void shouldReportAStampWithoutAnIntentWhereIntentsAreRequired() {
    String written = "1000 set strict:1:one 7:t1\n1000 set strict:1:two 7:t1\n";
    found(written, "3000 strict/1 UNCLAIMED 7:t1 strict:1:one,strict:1:two OPEN report");
    found("900 intent 7:t1 strict:1:one strict:1:two\n" + written);
    found(written + "2900 intent 7:t1 strict:1:one strict:1:two");
    found(
        written
            .replace("strict:1:one", "user:1:profile")
            .replace("strict:1:two", "user:1:settings"));
  }

  // ---- healthy

  @Test
  void shouldTellNotAppliedSupersededAndWholeApart() {
    ReplayTotals notApplied =
        Tale.of("900 intent 7:t1 user:1:profile user:1:settings\n20000 end").totals();
    assertThat(notApplied.settled(Verdict.NOT_APPLIED)).isEqualTo(1);

    ReplayTotals superseded =
        Tale.of(
                """
                1000 set user:1:profile 7:t1
                1100 set user:1:profile 8:t2
                1200 set user:1:settings 8:t2
                20000 end
                """)
            .totals();
    assertThat(superseded.settled(Verdict.SUPERSEDED)).isEqualTo(1);
    assertThat(superseded.settled(Verdict.WHOLE)).isEqualTo(1);
  }

  private static void found(String history, String... incidents) {
    assertThat(Tale.of(history).tell(end(history) + " end").found()).containsExactly(incidents);
  }

  private static long end(String history) {
    return 50_000
        + history
            .lines()
            .filter(l -> !l.isBlank())
            .mapToLong(l -> Long.parseLong(l.split(" ")[0]))
            .max()
            .orElse(0);
  }
}
