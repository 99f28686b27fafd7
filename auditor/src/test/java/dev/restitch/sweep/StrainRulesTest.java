package dev.restitch.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class StrainRulesTest {

  private final Latency latency = new Latency(1_000);
  private final MemoryUse memory = new MemoryUse(0.8);

  private void answers(int count, long nanos) {
    for (int i = 0; i < count; i++) {
      latency.answered(nanos);
    }
  }

  @Test
  void shouldAcceptWhatIsAlwaysAccepted() {
    latency.usual(1);
    answers(100, 1_000);
    assertThat(latency.tooMuch()).isFalse();
    answers(100, 1_001);
    assertThat(latency.tooMuch()).isTrue();
  }

  @Test
  void shouldAcceptThreeTimesWhatIsUsualForTheNode() {
    latency.usual(10_000);
    answers(100, 30_000);
    assertThat(latency.tooMuch()).isFalse();
    answers(100, 30_001);
    assertThat(latency.tooMuch()).isTrue();
  }

  @Test
  void shouldSayNothingBeforeThereAreAnswersEnough() {
    answers(Latency.LEAST - 1, 9_999);
    assertThat(latency.tooMuch()).isFalse();
    answers(1, 9_999);
    assertThat(latency.tooMuch()).isTrue();
    latency.forget();
    assertThat(latency.tooMuch()).isFalse();
  }

  @Test
  void shouldForgiveOneSlowAnswerInAHundredAndNotTwo() {
    answers(99, 10);
    answers(1, 9_999);
    assertThat(latency.tooMuch()).isFalse();
    answers(1, 9_999);
    assertThat(latency.tooMuch()).isTrue();
    answers(98, 10);
    answers(1, 10);
    assertThat(latency.tooMuch()).isFalse();
  }

  @Test
  void shouldLearnABusyNodeSlowlyAndAQuietOneAtOnce() {
    latency.usual(1_000);
    latency.usual(50_000);
    assertThat(latency.limitNanos()).isEqualTo(6_000);
    latency.usual(500);
    assertThat(latency.limitNanos()).isEqualTo(1_500);
  }

  @Test
  void shouldTakeTheNearestRankForTheP99() {
    assertThat(Latency.p99(new long[0])).isZero();
    assertThat(Latency.p99(new long[] {7})).isEqualTo(7);
    assertThat(Latency.p99(LongStream.rangeClosed(1, 100).toArray())).isEqualTo(99);
    assertThat(Latency.p99(LongStream.rangeClosed(1, 200).toArray())).isEqualTo(198);
  }

  private static String info(long used, long most) {
    return "# Memory\r\nused_memory:"
        + used
        + "\r\nused_memory_rss:9\r\nmaxmemory:"
        + most
        + "\r\n";
  }

  @Test
  void shouldPauseWhenMemoryRunsOutAndGrows() {
    memory.begin();
    memory.told(info(700, 1_000));
    assertThat(memory.tooMuch()).isFalse();
    memory.told(info(800, 1_000));
    assertThat(memory.tooMuch()).isFalse();
    memory.told(info(801, 1_000));
    assertThat(memory.tooMuch()).isTrue();
  }

  @Test
  void shouldNotStarveBesideACacheThatIsAlwaysFull() {
    memory.begin();
    memory.told(info(990, 1_000));
    memory.told(info(1_000, 1_000));
    assertThat(memory.tooMuch()).isFalse();
    memory.told(info(1_010, 1_000));
    assertThat(memory.tooMuch()).isTrue();
  }

  @Test
  void shouldNotPauseWhereMemoryHasNoLimit() {
    memory.begin();
    memory.told(info(1, 0));
    memory.told(info(1_000_000, 0));
    assertThat(memory.tooMuch()).isFalse();
  }

  @Test
  void shouldPayForKeysByWaitingAfterwards() {
    Pace pace = new Pace();
    assertThat(pace.waitNanos(5)).isZero();
    pace.spent(1_000, 1_000, 0);
    assertThat(pace.waitNanos(999_999_999)).isEqualTo(1);
    assertThat(pace.waitNanos(1_000_000_000)).isZero();
    // idle time is not saved up
    pace.spent(500, 1_000, 5_000_000_000L);
    assertThat(pace.waitNanos(5_000_000_000L)).isEqualTo(500_000_000);
    pace.spent(500, 1_000, 5_100_000_000L);
    assertThat(pace.waitNanos(5_100_000_000L)).isEqualTo(900_000_000);
  }

  @Test
  void shouldRememberWhatWasDoneSinceAMoment() {
    Recollection done = new Recollection(1 << 10);
    long name = done.hash("user/1");
    assertThat(done.claim(name, 100, 100)).isTrue();
    assertThat(done.claim(name, 100, 101)).isFalse();
    assertThat(done.claim(name, 101, 150)).isTrue();
    done.forget(name);
    assertThat(done.claim(name, 0, 151)).isTrue();
    assertThat(done.hash("user/1")).isEqualTo(name).isNotEqualTo(done.hash("user/2"));
  }
}
