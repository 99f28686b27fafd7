package dev.restitch.replay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * For each adjacent pair of the table of verdicts (MODEL.md, section 4) a history where both apply:
 * the earlier one is declared.
 */
class PrecedenceTest {

  private static final String THREE =
      """
      1000 set three:1:x 7:t1~primary=p1
      1000 set three:1:y 7:t1
      1000 set three:1:z 7:t1
      """;

  private static final String TRIO =
      """
      1000 set trio:1:x 1000:t1~primary=p1
      1000 set trio:1:y 1000:t1
      1000 set trio:1:z 1000:t1
      1500 set trio:1:x 5000:t2~primary=p1
      1500 set trio:1:y 5000:t2
      1500 set trio:1:z 5000:t2
      """;

  @Test
  void shouldBeIndeterminateBeforeItIsACollision() {
    first(
        """
        1000 set three:1:x 7:t1
        1100 set three:1:y 7:t2
        3150 probe three/1 asked=3100 three:1:x=7:t1 three:1:y=7:t2 three:1:z=unreadable
        63200 probe three/1 asked=63150 three:1:x=7:t1 three:1:y=7:t2 three:1:z=unreadable
        63200 end
        """,
        "63200 three/1 INDETERMINATE 7:t2 three:1:z OPEN report");
  }

  @Test
  void shouldBeACollisionBeforeAForeignWrite() {
    first(
        THREE + "9000 set three:1:y 7:t2\n9000 set three:1:z unstamped",
        "11000 three/1 COLLISION 7:t2 three:1:x,three:1:z OPEN report");
  }

  @Test
  void shouldBeAForeignWriteBeforeARollback() {
    first(
        THREE + "9000 seen three:1:x 6:t0~primary=p2\n9000 set three:1:z unstamped",
        "11000 three/1 FOREIGN_WRITE 7:t1 three:1:z OPEN report");
  }

  @Test
  void shouldBeRolledBackBeforeItIsUnordered() {
    first(
        TRIO + "9000 seen trio:1:x 1000:t1~primary=p2\n9000 set trio:1:y 5100:t3",
        "11000 trio/1 TORN_ROLLED_BACK 5000:t2 trio:1:x OPEN report");
  }

  @Test
  void shouldBeUnorderedBeforeASideIsEvicted() {
    first(
        TRIO + "9000 evicted trio:1:x absent\n9000 set trio:1:y 5100:t3",
        "11000 trio/1 UNORDERED 5100:t3 trio:1:x,trio:1:z OPEN report");
  }

  @Test
  void shouldBeEvictedBeforeExpired() {
    first(
        THREE + "9000 evicted three:1:x absent\n6000 expired three:1:y absent",
        "11000 three/1 SIDE_EVICTED 7:t1 three:1:x OPEN report");
  }

  @Test
  void shouldBeExpiredBeforeDeleted() {
    first(
        THREE + "6000 expired three:1:x absent\n9000 del three:1:y absent",
        "11000 three/1 SIDE_EXPIRED 7:t1 three:1:x OPEN report");
  }

  @Test
  void shouldBeDeletedBeforeCrossed() {
    first(
        """
        900 intent 7:t1 order:1:head order:1:lines
        900 intent 8:t2 order:1:totals order:1:notes
        1000 set order:1:head 7:t1
        1000 set order:1:totals 8:t2
        1000 set order:1:notes 8:t2
        1000 del order:1:notes absent
        1001 del order:1:notes absent
        """,
        "3001 order/1 SIDE_DELETED 8:t2 order:1:notes OPEN report");
  }

  @Test
  void shouldBeCrossedBeforeCommitted() {
    first(
        """
        900 intent 7:t1 fence:1:debit fence:1:credit marker=fence:t1:decided
        900 intent 8:t2 fence:1:debit fence:1:note marker=fence:t2:decided
        1000 set fence:1:debit 7:t1
        1000 set fence:1:note 8:t2
        1100 set fence:t1:decided present
        1100 set fence:t2:decided present
        """,
        "3000 fence/1 TORN_CROSSED 8:t2 fence:1:debit OPEN report");
  }

  @Test
  void shouldBeCommittedBeforeOverwritten() {
    first(
        """
        1000 set pay:1:debit 7:t1
        1000 set pay:1:credit 7:t1
        1100 set txn:t1:committed present
        5000 set pay:1:debit 8:t2
        5000 set pay:1:credit 8:t2
        5100 set txn:t2:committed present
        9000 set pay:1:debit 7:t1
        """,
        "11000 pay/1 COMMITTED_TORN 8:t2 pay:1:debit OPEN report");
  }

  @Test
  void shouldBeOverwrittenBeforeUncommitted() {
    first(
        """
        1000 set pay:1:debit 7:t1
        1000 set pay:1:credit 7:t1
        1100 set txn:t1:committed present
        5000 set pay:1:debit 8:t2
        5000 set pay:1:credit 8:t2
        5500 set pay:1:debit 7:t1
        """,
        "7500 pay/1 TORN_OVERWRITTEN 8:t2 pay:1:debit OPEN report");
  }

  @Test
  void shouldBeUncommittedBeforeMissing() {
    first("1000 set pay:1:debit 7:t1", "3000 pay/1 UNCOMMITTED 7:t1 pay:1:credit OPEN report");
  }

  @Test
  void shouldBeMissingBeforeDiverged() {
    first(
        """
        900 intent 7:t1 user:1:profile~digest=aa user:1:settings~digest=bb
        1000 set user:1:profile 7:t1~digest=cc
        """,
        "3000 user/1 TORN_MISSING 7:t1 user:1:settings OPEN report");
  }

  @Test
  void shouldBeDivergedBeforeItsMarkerExpires() {
    first(
        """
        900 intent 7:t1 pay:1:debit~digest=aa pay:1:credit marker=txn:t1:committed~ttl=1000
        1000 set pay:1:credit 7:t1
        1000 set pay:1:debit 7:t1
        1100 set txn:t1:committed present
        7099 set pay:1:debit 7:t1~digest=bb
        7200 end
        """,
        "7099 pay/1 DIVERGED 7:t1 pay:1:debit OPEN report");
    // both are suspected at once: the payload is known to differ only from the probe at 7100
    first(
        """
        900 intent 7:t1 pay:1:debit~digest=aa pay:1:credit marker=txn:t1:committed~ttl=1000
        1000 set pay:1:credit 7:t1
        1000 set pay:1:debit 7:t1
        1100 set txn:t1:committed present
        7150 probe pay/1 asked=7100 pay:1:debit=7:t1~digest=bb pay:1:credit=7:t1 txn:t1:committed=absent
        7150 end
        """,
        "7150 pay/1 DIVERGED 7:t1 pay:1:debit OPEN report");
  }

  @Test
  void shouldHaveAnExpiredMarkerBeforeAMissingOne() {
    first(
        """
        900 intent 7:t1 fence:1:debit marker=fence:t1:decided~ttl=20000
        1000 set fence:1:debit 7:t1
        1000 set fence:t1:decided present
        23900 intent 8:t2 fence:1:note marker=fence:t2:decided
        24000 set fence:1:note 8:t2
        """,
        "26000 fence/1 MARKER_EXPIRED 7:t1 fence:t1:decided OPEN report");
  }

  @Test
  void shouldMissAMarkerBeforeItIsUndecided() {
    assertThat(
            Tale.with(
                    "fence",
                    "verdicts: { UNDECIDED: declare }",
                    """
                    100 intent 4:t0 fence:1:debit fence:1:credit marker=fence:t0:decided
                    100 set fence:1:debit 4:t0
                    100 set fence:1:credit 4:t0
                    200 set fence:t0:decided present
                    1000 intent 5:t1 fence:1:debit fence:1:credit marker=fence:t1:decided
                    1000 intent 6:t2 fence:1:debit marker=fence:t2:decided
                    1000 set fence:1:debit 6:t2
                    20000 end
                    """)
                .found())
        .containsExactly("3000 fence/1 MARKER_MISSING 6:t2 fence:t2:decided OPEN report");
  }

  @Test
  void shouldBeUndecidedBeforeUnclaimed() {
    assertThat(
            Tale.with(
                    "order",
                    "intents: required\n    verdicts: { UNDECIDED: declare }",
                    """
                    900 set order:1:head 6:x
                    900 set order:1:lines 4:y
                    900 intent 5:t1 order:1:head order:1:lines
                    20000 end
                    """)
                .found())
        .containsExactly("2900 order/1 UNDECIDED 5:t1 order:1:lines OPEN report");
  }

  private static void first(String history, String incident) {
    String end = history.contains(" end") ? "" : "50000 end";
    assertThat(Tale.of(history).tell(end).found()).containsExactly(incident);
  }
}
