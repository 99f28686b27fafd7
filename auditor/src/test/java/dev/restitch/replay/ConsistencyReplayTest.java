package dev.restitch.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.judge.Consistency;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The consistency measure of histories, by the limits of MODEL.md. */
class ConsistencyReplayTest {

  @ParameterizedTest
  @CsvSource({"999, 1", "1000, 1", "1001, 0"})
  void shouldMeasureFromTheFirstStampToTheLastSide(long lag, long withinASecond) {
    Consistency user =
        HistoryText.ofCases()
            .seen(1_000, "user:1:profile", "t1", 1)
            .seen(1_000 + lag, "user:1:settings", "t1", 1)
            .totals(600_000)
            .consistency()
            .getOrDefault("user", Consistency.NONE);

    assertThat(user.sample()).isEqualTo(1);
    assertThat(user.wholeWithin(0)).isEqualTo(withinASecond);
    assertThat(user.wholeWithin(1)).isEqualTo(1);
  }

  @Test
  void shouldCountATransactionThatANewerOneFinishedFor() {
    Consistency user =
        HistoryText.ofCases()
            .seen(1_000, "user:1:profile", "t1", 1)
            .seen(1_010, "user:1:profile", "t2", 2)
            .seen(1_020, "user:1:settings", "t2", 2)
            .totals(600_000)
            .consistency()
            .getOrDefault("user", Consistency.NONE);

    assertThat(user).isEqualTo(Consistency.of(2, 2, 2, 2, 2));
  }

  @ParameterizedTest
  @CsvSource({"300999, 1", "301000, 1", "301001, 0"})
  void shouldCountATearThatIsMendedByItsAgeThen(long mendedAt, long withinFiveMinutes) {
    Consistency user =
        HistoryText.ofCases()
            .seen(500, "user:1:profile", "t1", 1)
            .seen(500, "user:1:settings", "t1", 1)
            .seen(1_000, "user:1:profile", "t2", 2)
            .seen(mendedAt, "user:1:settings", "t2", 2)
            .totals(4_000_000)
            .consistency()
            .getOrDefault("user", Consistency.NONE);

    assertThat(user.sample()).isEqualTo(2);
    assertThat(user.wholeWithin(2)).isEqualTo(1);
    assertThat(user.wholeWithin(3)).isEqualTo(1 + withinFiveMinutes);
  }

  @Test
  void shouldCountATearThatIsNeverMendedOnce() {
    Consistency user =
        HistoryText.ofCases()
            .seen(500, "user:1:profile", "t1", 1)
            .seen(500, "user:1:settings", "t1", 1)
            .seen(1_000, "user:1:profile", "t2", 2)
            .totals(40_000_000)
            .consistency()
            .getOrDefault("user", Consistency.NONE);

    assertThat(user).isEqualTo(Consistency.of(2, 1, 1, 1, 1));
  }

  @Test
  void shouldLeaveOutAnIntentThatWasNeverApplied() {
    Consistency user =
        HistoryText.ofCases()
            .intent(1_000, "t1", 1, "user:1:profile", "user:1:settings")
            .totals(600_000)
            .consistency()
            .getOrDefault("user", Consistency.NONE);

    assertThat(user.sample()).isZero();
  }
}
