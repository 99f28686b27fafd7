package dev.restitch.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.judge.Decision.Counter;
import dev.restitch.model.Verdict;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The patterns of MODEL.md, section 2, and transactions that span instances and stores. */
class VariantsTest {

  @Test
  void shouldJudgeVersionOnlyStamps() {
    found("1000 set plain:1:left 7:\n1000 set plain:1:right 7:");
    found(
        "1000 set plain:1:left 7:\n1000 set plain:1:right 6:",
        "3000 plain/1 TORN_MISSING 7: plain:1:right OPEN report");
    found(
        "900 intent 7: plain:1:left plain:1:right\n1000 set plain:1:left 7:",
        "3000 plain/1 TORN_MISSING 7: plain:1:right OPEN report");
    found(
        """
        1000 set plain:1:left 7:
        1000 set plain:1:right 7:
        9000 set plain:1:left 6:
        """,
        "11000 plain/1 TORN_OVERWRITTEN 7: plain:1:left OPEN report");
  }

  @Test
  void shouldJudgeStampsInHashFields() {
    found("1000 hset room:1:door 7:t1\n1000 hset room:1:lamp 7:t1");
    found(
        "1000 hset room:1:door 7:t1\n1000 hset room:1:lamp 6:t0",
        "3000 room/1 TORN_MISSING 7:t1 room:1:lamp OPEN report");
    found(
        """
        1000 hset room:1:door 7:t1
        1000 hset room:1:lamp 7:t1
        9000 hdel room:1:lamp unstamped
        """,
        "11000 room/1 FOREIGN_WRITE 7:t1 room:1:lamp OPEN report");
  }

  @Test
  void shouldJudgeTimestamps() {
    found("1000 set price:1:list 5000:t1\n1000 set price:1:sale 5000:t1");
    found(
        "1000 set price:1:list 5000:t1\n1000 set price:1:sale 5251:t2",
        "3000 price/1 TORN_MISSING 5251:t2 price:1:list OPEN report");
    found(
        "1000 set price:1:list 5000:t1\n1000 set price:1:sale 5250:t2",
        "3000 price/1 UNORDERED 5250:t2 price:1:list OPEN report");
  }

  @Test
  void shouldFindAHoleInALog() {
    found("1000 rpush log:1:a [t1]\n1000 rpush log:1:b [t1]\n1000 rpush log:1:c [t1]");
    found(
        """
        1000 rpush log:1:a [t1,t2,t3]
        1000 rpush log:1:b [t1,t3]
        1000 rpush log:1:c [t1,t2,t3]
        """,
        "3000 log/1 LOG_HOLE t2 log:1:b OPEN report");
  }

  @Test
  void shouldNotJudgeWhatIsOlderThanTheWindowOfALog() {
    found(
        """
        1000 rpush log:1:a [t1,t2,t3]
        1000 rpush log:1:b [t2,t3]
        1000 rpush log:1:c [t3]
        """);
  }

  @Test
  void shouldWaitForAnOpenTail() {
    found(
        """
        1000 rpush log:1:a [t1]
        1000 rpush log:1:b [t1]
        1000 rpush log:1:c [t1]
        1500 rpush log:1:a [t1,t2]
        3400 rpush log:1:b [t1,t2]
        3500 rpush log:1:c [t1,t2]
        """);
  }

  @Test
  void shouldLoseALogThatIsDeleted() {
    found(
        """
        1000 rpush log:1:a [t1]
        1000 rpush log:1:b [t1]
        1000 rpush log:1:c [t1]
        9000 del log:1:b absent
        """,
        "11000 log/1 SIDE_DELETED t1 log:1:b OPEN report");
  }

  @Test
  void shouldJudgeSortedSetsWithWriteSetsOfIntents() {
    found(
        """
        900 intent t1 rank:1:day~append rank:1:week~append
        900 intent t2 rank:1:day~append
        1000 zadd rank:1:day [t1,t2]
        1000 zadd rank:1:week [t1]
        """);
    found(
        """
        900 intent t1 rank:1:day~append rank:1:week~append
        900 intent t2 rank:1:day~append
        1000 zadd rank:1:day [t1,t2]
        """,
        "3000 rank/1 LOG_HOLE t1 rank:1:week OPEN report");
  }

  @Test
  void shouldFindWhatNoTransactionOfALogThatHadItCarriesAnyMore() {
    // ltrim, or zremrangebyrank, took t1 from the middle of one log
    found(
        """
        1000 rpush log:1:a [t1,t2,t3]
        1000 rpush log:1:b [t1,t2,t3]
        1000 rpush log:1:c [t1,t2,t3]
        9000 lrem log:1:c [t1,t3]
        """,
        "11000 log/1 LOG_HOLE t2 log:1:c OPEN report");
  }

  @Test
  void shouldDeclareInTheInstanceThatOwnsTheKeyThatIsBehind() {
    found(
        """
        900 intent 41:x acct:1:balance acct:2:balance acct:3:balance
        1000 set acct:1:balance 41:x
        1000 set acct:3:balance 41:x
        """,
        "4900 acct/2 TORN_MISSING 41:x acct:2:balance OPEN report");
    found(
        """
        900 intent 41:x acct:1:balance acct:2:balance acct:3:balance
        1000 set acct:1:balance 41:x
        """,
        "4900 acct/2 TORN_MISSING 41:x acct:2:balance OPEN report",
        "4900 acct/3 TORN_MISSING 41:x acct:3:balance OPEN report");
  }

  @Test
  void shouldNotDeclareATransferThatWasNeverApplied() {
    found("900 intent 41:x acct:1:balance acct:2:balance");
  }

  @Test
  void shouldJudgeATransferWholeThatNewerOnesFinished() {
    found(
        """
        900 intent 41:x acct:1:balance acct:2:balance
        950 intent 42:y acct:2:balance acct:3:balance
        1000 set acct:1:balance 41:x
        1000 set acct:2:balance 42:y
        1000 set acct:3:balance 42:y
        """);
  }

  @Test
  void shouldFindATransferThatLandsLateInOneInstance() {
    found(
        """
        900 intent 41:x acct:1:balance acct:2:balance
        1000 set acct:1:balance 41:x
        1100 set acct:2:balance 41:x
        9000 set acct:2:balance 40:w
        """,
        "11000 acct/2 TORN_OVERWRITTEN 41:x acct:2:balance OPEN report");
  }

  @Test
  void shouldReportASideThatWentWhileASiblingOfAnotherInstanceLives() {
    String written =
        """
        900 intent 41:x acct:1:balance acct:2:balance
        1000 set acct:1:balance 41:x
        1100 set acct:2:balance 41:x
        9000 del acct:2:balance absent
        """;
    found(written, "11000 acct/2 SIDE_DELETED 41:x acct:2:balance OPEN report");
    found(written + "9100 del acct:1:balance absent");
  }

  @Test
  void shouldNotDecideOnATransferThatANewerOneHid() {
    // x may have stood on acct/1 before y did; acct/2 cannot know, and nobody tells
    Tale tale =
        Tale.of(
            """
            900 intent 41:x acct:1:balance acct:2:balance
            900 intent 42:y acct:1:balance
            950 set acct:2:balance 40:w
            1000 set acct:1:balance 42:y
            20000 end
            """);

    assertThat(tale.found()).isEmpty();
    assertThat(tale.totals().count(Counter.UNDECIDED)).isEqualTo(1);
    assertThat(tale.totals().settled(Verdict.NOT_APPLIED)).isZero();
  }

  @Test
  void shouldJudgeATransactionThatSpansRelations() {
    found(
        """
        900 intent 41:x acct:1:balance order:1:head order:1:lines
        1000 set acct:1:balance 41:x
        1000 set order:1:head 41:x
        """,
        "3000 order/1 TORN_MISSING 41:x order:1:lines OPEN report");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8, 16})
  void shouldJudgeTransactionsOfManyKeys(int keys) {
    StringJoiner intent = new StringJoiner(" ", "900 intent 41:x ", "\n");
    StringBuilder written = new StringBuilder();
    IntStream.range(0, keys)
        .forEach(
            i -> {
              intent.add("acct:" + i + ":balance");
              written.append("%d set acct:%d:balance 41:x%n".formatted(1000 + i, i));
            });
    found(intent + written.toString());

    String without = written.substring(0, written.lastIndexOf("\n", written.length() - 2) + 1);
    int last = keys - 1;
    found(
        intent + without,
        "4900 acct/%d TORN_MISSING 41:x acct:%d:balance OPEN report".formatted(last, last));
  }

  @Test
  void shouldJudgeSixteenSidesOfOneInstance() {
    StringBuilder sides = new StringBuilder();
    StringBuilder history = new StringBuilder();
    for (int i = 0; i < 16; i++) {
      String store = new String[] {"east", "west", "main"}[i % 3];
      sides.append("      s%d: { store: %s, key: \"wide:{id}:%d\" }%n".formatted(i, store, i));
      if (i != 5 && i != 11) {
        history.append("%d set wide:1:%d 7:t1%n".formatted(1000 + i, i));
      }
    }
    String wide =
        "relations:\n  wide:\n    sides:\n"
            + sides
            + "    stamp: \"{version}:{token}:{payload}\"\n    version: { order: counter }\n";

    assertThat(Tale.of(Map.of("relations:\n", wide), history.toString()).tell("20000 end").found())
        .containsExactly("3000 wide/1 TORN_MISSING 7:t1 wide:1:5,wide:1:11 OPEN report");
  }

  @Test
  void shouldTellKeysOfTwoStoresApart() {
    found(
        "1000 set east@conf:a 7:t1\n1000 set west@conf:a 6:t0",
        "3000 conf/a TORN_MISSING 7:t1 west/conf:a OPEN report");
  }

  @Test
  void shouldLetAOneSidedRelationOfLooseKeysBe() {
    found("1000 set acct:1:balance 7:t1\n9000 set acct:1:balance 6:t0");
  }

  @Test
  void shouldCountASmallerIntentAsMisuseWhereAllSidesAreWritten() {
    Tale tale = Tale.of("900 intent 7:t1 user:1:profile\n1000 set user:1:profile 7:t1\n20000 end");

    assertThat(tale.found())
        .as("W(T) is all sides all the same")
        .containsExactly("3000 user/1 TORN_MISSING 7:t1 user:1:settings OPEN report");
    assertThat(tale.totals().count(Counter.SMALLER_INTENT)).isEqualTo(1);
  }

  private static void found(String history, String... incidents) {
    assertThat(Tale.of(history).tell("50000 end").found()).containsExactly(incidents);
  }
}
