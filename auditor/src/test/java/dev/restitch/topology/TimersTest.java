package dev.restitch.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimersTest {

  private final Timers timers = new Timers();

  @Test
  void shouldHoldOneEntryAnInstanceHoweverOftenItsTimeMoves() {
    for (long at = 1; at <= 1_000; at++) {
      timers.set("user/1", at);
    }

    assertThat(timers.size()).isEqualTo(1);
    assertThat(timers.due(999, 10)).isEmpty();
    assertThat(timers.due(1_000, 10)).containsExactly("user/1");
  }

  @Test
  void shouldGiveTheEarliestFirstAndNoMoreThanAsked() {
    timers.set("b", 20);
    timers.set("a", 10);
    timers.set("c", 30);

    assertThat(timers.due(30, 2)).containsExactly("a", "b");
    assertThat(timers.due(30, 2)).containsExactly("c");
  }

  @Test
  void shouldForgetAnInstanceThatNeedsNoTimer() {
    timers.set("a", 10);
    timers.set("a", -1);

    assertThat(timers.due(100, 10)).isEmpty();
    assertThat(timers.size()).isZero();
  }
}
