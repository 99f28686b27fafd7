package dev.restitch.replay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * The verdicts that forbid accept-newest (MODEL.md, section 4): for each a history that has it, and
 * the nearest ones that have not.
 */
class VerdictTableTest {

  private static final String WHOLE =
      """
      1000 set user:1:profile 7:t1
      1000 set user:1:settings 7:t1
      """;

  private static final String THREE =
      """
      1000 set three:1:x 7:t1
      1000 set three:1:y 7:t1
      1000 set three:1:z 7:t1
      """;

  // ---- COLLISION

  @Test
  void shouldFindTwoTokensWithOneVersion() {
    found(
        WHOLE + "1100 set user:1:settings 7:t2",
        "3100 user/1 COLLISION 7:t2 user:1:profile OPEN report");
  }

  @Test
  void shouldFindACollisionOfTimestamps() {
    found(
        "1000 set price:1:list 5000:a\n1000 set price:1:sale 5000:b",
        "3000 price/1 COLLISION 5000:b price:1:list OPEN report");
  }

  @Test
  void shouldNotCallItACollisionWhereNoSideCarriesTheOtherAnyMore() {
    found(WHOLE + "1100 set user:1:settings 7:t2\n1200 set user:1:profile 7:t2");
  }

  @Test
  void shouldNotCallItACollisionWhereTheWriteSetsAreDisjoint() {
    found(
        """
        900 intent 7:t1 order:1:head order:1:lines
        900 intent 7:t2 order:1:totals order:1:notes
        1000 set order:1:head 7:t1
        1000 set order:1:lines 7:t1
        1000 set order:1:totals 7:t2
        1000 set order:1:notes 7:t2
        """);
  }

  @Test
  void shouldNotCallItACollisionWhereTheVersionsDiffer() {
    found(
        WHOLE + "1100 set user:1:settings 8:t2",
        "3100 user/1 TORN_MISSING 8:t2 user:1:profile OPEN report");
  }

  // ---- FOREIGN_WRITE

  @Test
  void shouldFindAnUnstampedValueWhereAStampStood() {
    found(
        WHOLE + "9000 set user:1:settings unstamped",
        "11000 user/1 FOREIGN_WRITE 7:t1 user:1:settings OPEN report");
  }

  @Test
  void shouldFindUnstampedValuesOnAllSidesWhereStampsStood() {
    found(
        WHOLE + "9000 set user:1:settings unstamped\n9000 set user:1:profile unstamped",
        "11000 user/1 FOREIGN_WRITE 7:t1 user:1:profile,user:1:settings OPEN report");
  }

  @Test
  void shouldForgiveAnUnstampedValueThatIsStampedInTime() {
    found(WHOLE + "9000 set user:1:settings unstamped\n11000 set user:1:settings 7:t1");
  }

  @Test
  void shouldNotMindAnUnstampedSideThatNoTransactionWrites() {
    found(
        """
        900 intent 7:t1 order:1:head order:1:lines
        1000 set order:1:head 7:t1
        1000 set order:1:lines 7:t1
        1000 set order:1:totals unstamped
        """);
  }

  @Test
  void shouldNotMindUnstampedSidesWithoutAnyStamp() {
    found("1000 set user:1:settings unstamped\n1000 set user:1:profile unstamped");
  }

  // ---- TORN_ROLLED_BACK

  private static final String ON_P1 =
      """
      1000 set user:1:profile 7:t1~primary=p1
      1000 set user:1:settings 7:t1~primary=q
      1500 set user:1:profile 8:t2~primary=p1
      1500 set user:1:settings 8:t2~primary=q
      """;

  @Test
  void shouldFindASideThatAChangeOfPrimaryTookBack() {
    found(
        ON_P1 + "9000 seen user:1:profile 7:t1~primary=p2",
        "11000 user/1 TORN_ROLLED_BACK 8:t2 user:1:profile OPEN report");
  }

  @Test
  void shouldFindASideThatAChangeOfPrimaryLost() {
    found(
        ON_P1 + "9000 seen user:1:profile absent~primary=p2",
        "11000 user/1 TORN_ROLLED_BACK 8:t2 user:1:profile OPEN report");
  }

  @Test
  void shouldBlameAClientWhereThePrimaryIsTheSame() {
    found(
        ON_P1 + "9000 seen user:1:profile 7:t1~primary=p1",
        "11000 user/1 TORN_OVERWRITTEN 8:t2 user:1:profile OPEN report");
  }

  @Test
  void shouldBlameAClientWhereTheStampWasSeenOnTheNewPrimary() {
    found(
        ON_P1
            + "8000 seen user:1:profile 8:t2~primary=p2\n9000 seen user:1:profile 7:t1~primary=p2",
        "11000 user/1 TORN_OVERWRITTEN 8:t2 user:1:profile OPEN report");
  }

  @Test
  void shouldNotMindAChangeOfPrimaryThatLosesNothing() {
    found(ON_P1 + "9000 seen user:1:profile 8:t2~primary=p2");
  }

  // ---- UNORDERED

  @Test
  void shouldFindTokensThatNothingOrders() {
    found(
        """
        1000 set doc:1:body t1
        1000 set doc:1:index t1
        1500 set doc:1:index t2
        """,
        "3500 doc/1 UNORDERED t2 doc:1:body OPEN report");
  }

  @Test
  void shouldFindATokenThatCameBack() {
    found(
        """
        1000 set doc:1:body t1
        1000 set doc:1:index t1
        1500 set doc:1:body t2
        1500 set doc:1:index t2
        9000 set doc:1:index t1
        """,
        "11000 doc/1 UNORDERED t2 doc:1:index OPEN report");
  }

  @Test
  void shouldNotMindATokenThatReplacedTheOtherEverywhere() {
    found(
        """
        1000 set doc:1:body t1
        1000 set doc:1:index t1
        1500 set doc:1:index t2
        1600 set doc:1:body t2
        """);
  }

  @Test
  void shouldCallATokenWithoutAnotherMissingNotUnordered() {
    found("1000 set doc:1:body t1", "3000 doc/1 TORN_MISSING t1 doc:1:index OPEN report");
  }

  // ---- SIDE_EVICTED, SIDE_EXPIRED, SIDE_DELETED

  @Test
  void shouldTellHowASideWentByItsLastEvent() {
    found(
        WHOLE + "9000 evicted user:1:settings absent",
        "11000 user/1 SIDE_EVICTED 7:t1 user:1:settings OPEN report");
    found(
        WHOLE + "9000 expired user:1:settings absent",
        "14000 user/1 SIDE_EXPIRED 7:t1 user:1:settings OPEN report");
    found(
        WHOLE + "9000 unlink user:1:settings absent",
        "11000 user/1 SIDE_DELETED 7:t1 user:1:settings OPEN report");
  }

  @Test
  void shouldCallASideDeletedWhereNoEventIsKnown() {
    found(
        WHOLE + "9000 seen user:1:settings absent",
        "11000 user/1 SIDE_DELETED 7:t1 user:1:settings OPEN report");
  }

  @Test
  void shouldCountASideThatWasAboveTheTransactionAsSeen() {
    found(
        """
        1000 set user:1:settings 8:t2
        1100 del user:1:settings absent
        1200 set user:1:profile 7:t1
        """,
        "3200 user/1 SIDE_DELETED 8:t2 user:1:settings OPEN report");
  }

  @Test
  void shouldBeWholeWhereAllSidesAreGone() {
    found(WHOLE + "9000 del user:1:settings absent\n9500 evicted user:1:profile absent");
  }

  @Test
  void shouldForgiveASideThatIsSetAgainInTime() {
    found(WHOLE + "9000 del user:1:settings absent\n11000 set user:1:settings 7:t1");
  }

  @Test
  void shouldCallASideThatNeverWasMissingNotDeleted() {
    found(
        "1000 set user:1:profile 7:t1\n1100 seen user:1:settings absent",
        "3000 user/1 TORN_MISSING 7:t1 user:1:settings OPEN report");
  }

  @Test
  void shouldExplainAnAbsenceByANewerTransactionsDelete() {
    found(
        """
        900 intent 7:t1 order:1:head order:1:lines
        1000 set order:1:head 7:t1
        1000 set order:1:lines 7:t1
        5000 intent 8:t2 order:1:lines~delete order:1:totals
        5100 set order:1:totals 8:t2
        5200 del order:1:lines absent
        """);
  }

  @Test
  void shouldExplainAnAbsenceByTheOnlyTransactionThatMeantToDelete() {
    // nothing else shows t2 to be effective
    found(
        """
        900 intent 7:t1 order:1:head order:1:lines
        1000 set order:1:head 7:t1
        1000 set order:1:lines 7:t1
        5000 intent 8:t2 order:1:lines~delete
        5200 del order:1:lines absent
        """);
  }

  @Test
  void shouldNotExplainAnAbsenceByAnOlderTransactionsDelete() {
    found(
        """
        900 intent 7:t1 order:1:lines~delete order:1:totals
        950 intent 8:t2 order:1:head order:1:lines
        1000 set order:1:totals 7:t1
        1000 set order:1:head 8:t2
        1000 set order:1:lines 8:t2
        9000 expired order:1:lines absent
        """,
        "14000 order/1 SIDE_EXPIRED 8:t2 order:1:lines OPEN report");
  }

  @Test
  void shouldNameOnlyTheSidesThatWentThatWay() {
    found(
        THREE + "9000 evicted three:1:x absent\n9000 del three:1:y absent",
        "11000 three/1 SIDE_EVICTED 7:t1 three:1:x OPEN report");
  }

  private static void found(String history, String... incidents) {
    assertThat(Tale.of(history).tell("50000 end").found()).containsExactly(incidents);
  }
}
