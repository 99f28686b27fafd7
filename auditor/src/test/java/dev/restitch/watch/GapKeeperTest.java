package dev.restitch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.watch.GapKeeper.Interval;
import org.junit.jupiter.api.Test;

class GapKeeperTest {

  private final GapKeeper gaps = new GapKeeper(0, "start");

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
    gaps.open("reconnect");
    gaps.covered(7_000);

    Interval interval = gaps.due(8_000).orElseThrow();
    assertThat(interval.fromMillis()).isEqualTo(6_000);
    assertThat(interval.why()).isEqualTo("reconnect");
  }

  @Test
  void shouldStayOpenIfMoreWasMissedWhileItWasTold() {
    Interval told = gaps.due(5_000).orElseThrow();
    gaps.open("overflow");
    gaps.told(told);

    assertThat(gaps.isOpen()).isTrue();
    tell(6_000);
    assertThat(gaps.isOpen()).isFalse();
    assertThat(gaps.opened()).isEqualTo(gaps.published()).isEqualTo(2);
  }

  @Test
  void shouldNotTellWhatIsClosed() {
    tell(5_000);

    assertThat(gaps.due(6_000)).isEmpty();
  }
}
