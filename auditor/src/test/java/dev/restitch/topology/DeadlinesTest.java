package dev.restitch.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeadlinesTest {

  private static final long START = 1_790_000_000_000L;

  private final Deadlines deadlines = new Deadlines();

  private List<Integer> due(long at, int most) {
    List<Integer> rows = new ArrayList<>();
    assertThat(deadlines.due(START + at, most, rows::add)).isEqualTo(rows.size());
    return rows;
  }

  @Test
  void shouldWakeAtTheVeryMillisecond() {
    deadlines.set(7, START + 1_001);

    assertThat(due(1_000, 10)).isEmpty();
    assertThat(due(1_001, 10)).containsExactly(7);
    assertThat(due(100_000, 10)).isEmpty();
  }

  @Test
  void shouldWakeOnceAtTheLastTimeThatWasSet() {
    deadlines.set(7, START + 2_000);
    deadlines.set(7, START + 3_600_000);
    deadlines.set(7, START + 1_000);
    deadlines.set(7, START + 5_000);

    assertThat(due(4_999, 10)).isEmpty();
    assertThat(due(5_000, 10)).containsExactly(7);
    assertThat(due(4_000_000, 10)).isEmpty();
  }

  @Test
  void shouldNotWakeWhatIsNeverToBeWoken() {
    deadlines.set(7, START + 2_000);
    deadlines.set(7, -1);

    assertThat(due(3_000, 10)).isEmpty();
  }

  @Test
  void shouldLeaveTheRestForTheNextTime() {
    for (int row = 0; row < 5; row++) {
      deadlines.set(row, START + 10);
    }

    assertThat(due(20, 2)).hasSize(2);
    assertThat(due(20, 2)).hasSize(2);
    assertThat(due(20, 2)).hasSize(1);
  }

  @Test
  void shouldNotGrowWithEveryWriteToTheSameInstance() {
    for (int i = 0; i < 100_000; i++) {
      deadlines.set(7, START + i * 8_000L + 2_000);
      deadlines.set(7, START + i * 8_000L + 3_600_000);
      due(i * 8_000L + 3_000, 10);
    }

    assertThat(deadlines.entries()).isLessThan(10);
  }

  @Test
  void shouldWakeWhatAPlainMapWouldWake() {
    Random random = new Random(5);
    Map<Integer, Long> model = new HashMap<>();
    long now = 0;
    for (int i = 0; i < 50_000; i++) {
      int row = random.nextInt(2_000);
      long at = random.nextInt(10) == 0 ? -1 : START + now + random.nextInt(300_000);
      deadlines.set(row, at);
      model.put(row, at);
      if (i % 50 == 0) {
        now += random.nextInt(10_000);
        Set<Integer> expected = new HashSet<>();
        long time = START + now;
        model.forEach((r, t) -> expected.addAll(t >= 0 && t <= time ? Set.of(r) : Set.of()));
        expected.forEach(model::remove);
        assertThat(due(now, Integer.MAX_VALUE)).containsExactlyInAnyOrderElementsOf(expected);
      }
    }
  }
}
