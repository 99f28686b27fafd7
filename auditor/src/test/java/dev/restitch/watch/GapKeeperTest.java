package dev.restitch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.watch.GapKeeper.Interval;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GapKeeperTest {

  private final GapKeeper gaps = new GapKeeper("start", 1);

  @BeforeEach
  void neverCovered() {
    gaps.resume(0, null);
  }

  private void tell(long now) {
    gaps.told(gaps.due(now).orElseThrow());
  }

  @Test
  void shouldBeginWithAGapSinceEver() {
    Interval interval = gaps.due(5_000).orElseThrow();

    assertThat(interval.fromMillis()).isZero();
    assertThat(interval.toMillis()).isEqualTo(5_000);
    assertThat(interval.why()).isEqualTo("start");
  }

  @Test
  void shouldOpenFromTheLastCoveredMoment() {
    tell(5_000);
    gaps.covered(6_000);
    gaps.open("reconnect", 7_500);
    assertThat(gaps.openSinceMillis()).hasValue(7_500);
    gaps.covered(7_000);

    Interval interval = gaps.due(8_000).orElseThrow();
    assertThat(interval.fromMillis()).isEqualTo(6_000);
    assertThat(interval.why()).isEqualTo("reconnect");
  }

  @Test
  void shouldStayOpenIfMoreWasMissedWhileItWasTold() {
    Interval told = gaps.due(5_000).orElseThrow();
    gaps.open("overflow", 5_500);
    gaps.told(told);

    assertThat(gaps.isOpen()).isTrue();
    tell(6_000);
    assertThat(gaps.isOpen()).isFalse();
    assertThat(gaps.opened()).isEqualTo(gaps.published()).isEqualTo(2);
  }

  @Test
  void shouldGoOnFromWhatAnEarlierWatchCovered() {
    GapKeeper later = new GapKeeper("start", 9_000);
    assertThat(later.due(9_500)).isEmpty();

    later.resume(6_000, "takeover");
    later.resume(1_000, "other");

    Interval interval = later.due(9_500).orElseThrow();
    assertThat(interval.fromMillis()).isEqualTo(6_000);
    assertThat(interval.why()).isEqualTo("takeover");
  }

  @Test
  void shouldNotEndBeforeItBeginsWhereTheEarlierClockWasAhead() {
    GapKeeper later = new GapKeeper("start", 9_000);
    later.resume(9_501, null);

    assertThat(later.due(9_500).orElseThrow().fromMillis()).isEqualTo(9_500);
    assertThat(later.due(9_501).orElseThrow().fromMillis()).isEqualTo(9_501);
    assertThat(later.due(9_502).orElseThrow().fromMillis()).isEqualTo(9_501);
  }

  @Test
  void shouldNotTellWhatIsClosed() {
    tell(5_000);

    assertThat(gaps.due(6_000)).isEmpty();
  }
}
