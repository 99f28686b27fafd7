package dev.restitch.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.judge.Decision.Counter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When versions order, and for how long they are remembered: settle 2 s, memory 1 h. */
class TrustTest {

  private static final String WHOLE =
      """
      1000 set user:1:profile 8:t2
      1000 set user:1:settings 8:t2
      """;

  @ParameterizedTest
  @CsvSource({"3607999, COLLISION", "3608000, TORN_OVERWRITTEN", "3608001, TORN_OVERWRITTEN"})
  void shouldNotTrustAnOrderThatWentBackForAsLongAsItsMemory(long overwritten, String verdict) {
    // the intent at 10000 goes back; what is written at 3608000 is judged when an hour has passed
    Tale tale =
        Tale.of(WHOLE)
            .tell("10000 intent 7:t1 user:1:profile user:1:settings")
            .tell("2000000 set user:1:profile 8:t2")
            .tell(overwritten + " set user:1:profile 7:t1")
            .tell((overwritten + 2000) + " end");

    assertThat(tale.verdicts()).containsExactly(verdict);
    assertThat(tale.totals().count(Counter.VERSION_REGRESSION)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"3000, 0", "3001, 1"})
  void shouldCountAnIntentOfAnEqualVersionAsARegression(long intentAt, long regressions) {
    assertThat(
            Tale.of(WHOLE)
                .tell(intentAt + " intent 8:t3 user:1:profile user:1:settings")
                .tell("9000 end")
                .totals()
                .count(Counter.VERSION_REGRESSION))
        .isEqualTo(regressions);
  }

  @ParameterizedTest
  @CsvSource({"101000, 0", "101001, 1"})
  void shouldRememberWhenAVersionBelowTheHighestWasSeen(long intentAt, long regressions) {
    // 100 is too young to tell; 99, which it superseded, was seen at 99000
    assertThat(
            Tale.of(
                    """
                    99000 set user:1:profile 99:a
                    99000 set user:1:settings 99:a
                    100000 set user:1:profile 100:b
                    100000 set user:1:settings 100:b
                    """)
                .tell(intentAt + " intent 91:c user:1:profile user:1:settings")
                .tell("200000 end")
                .totals()
                .count(Counter.VERSION_REGRESSION))
        .isEqualTo(regressions);
  }

  @ParameterizedTest
  @CsvSource({"3000, 0", "3001, 1"})
  void shouldCountARegressionAlsoWhereTheWriteIsSeenBeforeItsIntent(long seen, long regressions) {
    assertThat(
            Tale.of(WHOLE)
                .tell(seen + " set user:1:profile 7:t1")
                .tell("5000 intent 7:t1 user:1:profile user:1:settings")
                .tell("9000 end")
                .totals()
                .count(Counter.VERSION_REGRESSION))
        .as("a token that was seen in time is not new when its intent is late")
        .isEqualTo(regressions);
  }

  @Test
  void shouldNotCountARegressionWithoutAnIntent() {
    Tale tale = Tale.of(WHOLE).tell("9000 set user:1:profile 7:t1").tell("20000 end");

    assertThat(tale.totals().count(Counter.VERSION_REGRESSION)).isZero();
    assertThat(tale.verdicts()).containsExactly("TORN_OVERWRITTEN");
  }

  @Test
  void shouldNotCountWhereNothingOrders() {
    assertThat(
            Tale.of("1000 set doc:1:body t2\n1000 set doc:1:index t2")
                .tell("9000 intent t1 doc:1:body doc:1:index")
                .tell("20000 end")
                .totals()
                .count(Counter.VERSION_REGRESSION))
        .isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "3600999, TORN_OVERWRITTEN 8:t2 user:1:profile",
    "3601000, TORN_OVERWRITTEN 8:t2 user:1:profile",
    "3601001, TORN_MISSING 7:t1 user:1:settings"
  })
  void shouldRememberTheHighestStampForAsLongAsItsMemory(long overwritten, String found) {
    assertThat(
            Tale.of(WHOLE)
                .tell(overwritten + " set user:1:profile 7:t1")
                .tell("3700000 end")
                .found())
        .as("what is forgotten was never observed: t1 alone is known then")
        .containsExactly((overwritten + 2000) + " user/1 " + found + " OPEN report");
  }

  @Test
  void shouldCallOneVersionOfTwoTokensACollisionAlsoWhereVersionsDoNotOrder() {
    assertThat(
            Tale.of(
                    java.util.Map.of(
                        "key: \"doc:{id}:index\" }\n    stamp: \"{token}:{payload}\"",
                        "key: \"doc:{id}:index\" }\n    stamp: \"{version}:{token}:{payload}\""),
                    """
                    1000 set doc:1:body 5:t1
                    1100 set doc:1:index 5:t2
                    1000 set doc:2:body 5:t1
                    1100 set doc:2:index 6:t2
                    20000 end
                    """)
                .found())
        .containsExactly(
            "3100 doc/1 COLLISION 5:t2 doc:1:body OPEN report",
            "3100 doc/2 UNORDERED 6:t2 doc:2:body OPEN report");
  }
}
