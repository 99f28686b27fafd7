package dev.restitch.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JudgeClockTest {

  private final JudgeClock clock = new JudgeClock();

  @Test
  void shouldStandStillWhileRecordsCome() {
    clock.record(1_000, 5_000);

    assertThat(clock.tick(5_100)).isEqualTo(1_000);
  }

  @Test
  void shouldFollowTheWallClockWhileIdleAndNeverRunAheadOfTheBrokers() {
    clock.record(1_000, 1_010);
    clock.record(2_000, 2_400);
    clock.tick(2_425);

    assertThat(clock.tick(3_000)).isEqualTo(2_990);
  }

  @Test
  void shouldNotGoBackWhenTheWallClockDoes() {
    clock.record(1_000, 1_010);
    clock.tick(1_035);
    clock.tick(5_010);

    assertThat(clock.tick(4_000)).isEqualTo(5_000);
  }

  @Test
  void shouldBeginWithTheWallClockWhereNoRecordCame() {
    clock.tick(5_000);

    assertThat(clock.tick(20_000)).isEqualTo(20_000);
  }

  @Test
  void shouldJudgeWhatWasRecordedWhileNobodyJudgedByItsOwnTime() {
    clock.tick(100_000);
    clock.tick(114_999);
    clock.record(40_000, 115_000);

    assertThat(clock.now()).isEqualTo(40_000);
  }

  @Test
  void shouldNotRunAheadOfRecordsThatWaitedWhileTheThreadWasHeldUp() {
    clock.record(1_000, 1_010);
    clock.tick(9_000);
    clock.record(2_000, 9_001);
    clock.tick(17_000);

    assertThat(clock.now()).isEqualTo(2_000);
  }
}
