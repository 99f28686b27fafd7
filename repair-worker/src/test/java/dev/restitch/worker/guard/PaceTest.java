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

    assertThat(pace.waitNanos()).isZero();
    pace.take();
    assertThat(pace.waitNanos()).isEqualTo(Duration.ofMillis(100).toNanos());
    now.addAndGet(Duration.ofMillis(100).toNanos() - 1);
    assertThat(pace.waitNanos()).isEqualTo(1);
    now.addAndGet(1);
    assertThat(pace.waitNanos()).isZero();
  }

  @Test
  void shouldNotSaveUpTurnsWhileIdle() {
    Pace pace = new Pace(10, now::get);
    pace.take();
    now.addAndGet(Duration.ofMinutes(1).toNanos());

    assertThat(pace.waitNanos()).isZero();
    pace.take();
    assertThat(pace.waitNanos()).isEqualTo(Duration.ofMillis(100).toNanos());
  }

  @Test
  void shouldNeverGoMoreThanFivePercentOverItsRateInAnyTenSeconds() {
    for (double rate : new double[] {1, 7, 100, 1000}) {
      Pace pace = new Pace(rate, now::get);
      Deque<Long> within = new ArrayDeque<>();
      long window = Duration.ofSeconds(10).toNanos();
      for (int i = 0; i < 25 * rate; i++) {
        now.addAndGet(i % 5 == 0 ? (long) (3e9 / rate) : 0);
        now.addAndGet(pace.waitNanos());
        pace.take();
        within.addLast(now.get());
        while (within.peekFirst() <= now.get() - window) {
          within.removeFirst();
        }
        assertThat((double) within.size()).isLessThanOrEqualTo(Math.ceil(10 * rate * 1.05));
      }
    }
  }

  @Test
  void shouldChangeItsRateForTheTurnThatIsWaitedForToo() {
    Pace pace = new Pace(0.1, now::get);
    pace.take();
    assertThat(pace.waitNanos()).isEqualTo(Duration.ofSeconds(10).toNanos());

    pace.change(10);

    assertThat(pace.waitNanos()).isEqualTo(Duration.ofMillis(100).toNanos());
    pace.change(0.1);
    assertThat(pace.waitNanos()).isEqualTo(Duration.ofSeconds(10).toNanos());
  }
}
