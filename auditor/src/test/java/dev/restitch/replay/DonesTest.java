package dev.restitch.replay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a writer's word afterwards is worth, with and without the version. */
class DonesTest {

  private static final String OLD = "100 set user:1:profile 6:t0\n100 set user:1:settings 6:t0\n";
  private static final String INTENT = "1000 intent 7:t1 user:1:profile user:1:settings\n";
  private static final String TORN =
      "3000 user/1 TORN_MISSING 7:t1 user:1:profile,user:1:settings OPEN report";

  @Test
  void shouldBelieveADoneThatNamesTheVersion() {
    found(OLD + INTENT + "1500 done 7:t1 user:1:profile=ok user:1:settings=unknown", TORN);
  }

  @Test
  void shouldBelieveADoneThatNamesTheTokenOnly() {
    found(OLD + INTENT + "1500 done t1 user:1:profile=ok user:1:settings=unknown", TORN);
  }

  @Test
  void shouldBelieveADoneThatComesBeforeItsIntent() {
    found(
        OLD
            + "1500 done t1 user:1:profile=ok user:1:settings=unknown\n"
            + "1600 intent 7:t1 user:1:profile user:1:settings",
        TORN.replace("3000", "3600"));
  }

  @Test
  void shouldNotTakeADoneForAnotherTokensWord() {
    found(OLD + INTENT + "1500 done t9 user:1:profile=ok user:1:settings=ok");
  }

  @Test
  void shouldTakeNoEffectFromADoneThatFailedOrDoesNotKnow() {
    found(OLD + INTENT + "1500 done t1 user:1:profile=failed user:1:settings=unknown");
  }

  @Test
  void shouldTakeTheMarkerFromADoneWithoutVersion() {
    found(
        """
        1000 set pay:1:debit 7:t1
        1000 set pay:1:credit 7:t1
        1500 done t1 pay:1:debit=ok pay:1:credit=ok marker=ok
        """);
    found(
        """
        900 done t1 pay:1:debit=ok pay:1:credit=ok marker=ok
        1000 set pay:1:debit 7:t1
        1000 set pay:1:credit 7:t1
        """);
  }

  @Test
  void shouldKnowIntentsOfLogsByTheirToken() {
    found(
        """
        900 intent 5000:t1 rank:1:day~append rank:1:week~append
        1000 zadd rank:1:day [t1]
        """,
        "3000 rank/1 LOG_HOLE t1 rank:1:week OPEN report");
  }

  @Test
  void shouldNameTheStoreOfAKeyThatStandsInTwo() {
    found(
        """
        100 set east@conf:a 6:t0
        100 set west@conf:a 6:t0
        1000 intent 7:t1 east@conf:a west@conf:a
        1500 done 7:t1 east/conf:a=ok west/conf:a=failed
        """,
        "3000 conf/a TORN_MISSING 7:t1 east/conf:a,west/conf:a OPEN report");
  }

  private static void found(String history, String... incidents) {
    assertThat(Tale.of(history).tell("50000 end").found()).containsExactly(incidents);
  }
}
