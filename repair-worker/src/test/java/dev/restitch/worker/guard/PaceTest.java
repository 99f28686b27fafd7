package dev.restitch.worker.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PaceTest {

  private final AtomicLong now = new AtomicLong(1_000_000_007L);

  @Test
  void shouldSpreadTurnsEvenly() {
    Pace pace = new Pace(10, now::get);

    assertThat(pace.take()).isZero();
    assertThat(pace.take()).isEqualTo(Duration.ofMillis(100).toNanos());
    assertThat(pace.take()).isEqualTo(Duration.ofMillis(200).toNanos());
  }

  @Test
  void shouldNotSaveUpTurnsWhileIdle() {
    Pace pace = new Pace(10, now::get);
    assertThat(pace.take()).isZero();
    now.addAndGet(Duration.ofMinutes(1).toNanos());

    assertThat(pace.take()).isZero();
    assertThat(pace.take()).isPositive();
  }

  @Test
  void shouldNeverGoMoreThanFivePercentOverItsRateInAnyTenSeconds() {
    for (double rate : new double[] {1, 7, 100, 1000}) {
      Pace pace = new Pace(rate, now::get);
      Deque<Long> within = new ArrayDeque<>();
      long window = Duration.ofSeconds(10).toNanos();
      for (int i = 0; i < 25 * rate; i++) {
        now.addAndGet(i % 5 == 0 ? (long) (3e9 / rate) : 0);
        long at = now.get() + pace.take();
        within.addLast(at);
        while (within.peekFirst() <= at - window) {
          within.removeFirst();
        }
        assertThat((double) within.size()).isLessThanOrEqualTo(Math.ceil(10 * rate * 1.05));
      }
    }
  }

  @Test
  void shouldChangeItsRateWhileRunning() {
    Pace pace = new Pace(1, now::get);
    assertThat(pace.take()).isZero();
    pace.change(10);
    assertThat(pace.take()).isLessThanOrEqualTo(Duration.ofSeconds(1).toNanos());
    long second = pace.take();
    assertThat(pace.take() - second).isEqualTo(Duration.ofMillis(100).toNanos());
  }
}
