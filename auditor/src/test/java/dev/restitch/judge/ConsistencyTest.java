package dev.restitch.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.restitch.judge.Decision.NotWhole;
import dev.restitch.judge.Decision.Settled;
import dev.restitch.model.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConsistencyTest {

  @ParameterizedTest
  @CsvSource({
    "0, 4",
    "999, 4",
    "1000, 4",
    "1001, 3",
    "15000, 3",
    "15001, 2",
    "60000, 2",
    "60001, 1",
    "300000, 1",
    "300001, 0"
  })
  void shouldCountWholeWithinEveryLimitThatTheLagDoesNotExceed(long lag, int limits) {
    Consistency c = Consistency.NONE.plus(new Settled(Verdict.WHOLE, lag));

    assertThat(c.sample()).isEqualTo(1);
    long counted = 0;
    for (int i = 0; i < Consistency.LIMITS.size(); i++) {
      counted += c.wholeWithin(i);
    }
    assertThat(counted).isEqualTo(limits);
  }

  @Test
  void shouldCountWhatWasNotWholeInTheSampleOnly() {
    Consistency c = Consistency.NONE.plus(new NotWhole());

    assertThat(c).isEqualTo(Consistency.of(1, 0, 0, 0, 0));
  }

  @Test
  void shouldLeaveOutWhatNeverTookEffect() {
    Consistency c = Consistency.NONE.plus(new Settled(Verdict.NOT_APPLIED, -1));

    assertThat(c).isSameAs(Consistency.NONE);
  }

  @Test
  void shouldTellTheShareInNines() {
    Consistency c = Consistency.of(1_000, 990, 999, 1_000, 1_000);

    assertThat(c.nines(0)).isCloseTo(2, within(1e-9));
    assertThat(c.nines(1)).isCloseTo(3, within(1e-9));
    assertThat(c.boundedBySample(1)).isFalse();
    assertThat(c.nines(2)).isCloseTo(3, within(1e-9));
    assertThat(c.boundedBySample(2)).isTrue();
    assertThat(c.share(0)).isEqualTo(0.99);
  }

  @Test
  void shouldSayNothingOfAnEmptySample() {
    assertThat(Consistency.NONE.share(0)).isNaN();
    assertThat(Consistency.NONE.nines(0)).isNaN();
  }

  @Test
  void shouldAddUpSamples() {
    assertThat(Consistency.of(3, 1, 2, 3, 3).plus(Consistency.of(2, 0, 0, 1, 2)))
        .isEqualTo(Consistency.of(5, 1, 2, 4, 5));
  }
}
