package dev.restitch.worker.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class PartitionShareTest {

  private final PartitionShare share = new PartitionShare();

  @Test
  void shouldBeThePartOfThePartitionsThatThisWorkerHas() {
    share.has(1, 4);
    assertThat(share.getAsDouble()).isEqualTo(0.25);
    share.has(4, 4);
    assertThat(share.getAsDouble()).isEqualTo(1);
    assertThat(share.taking()).isTrue();
  }

  @Test
  void shouldAddUpToOneWhateverTheSplit() {
    for (int[] split : new int[][] {{3, 3}, {1, 5}, {2, 2, 2}, {6}, {4, 1, 1}}) {
      double sum = 0;
      for (int mine : split) {
        share.has(mine, 6);
        sum += share.getAsDouble();
      }
      assertThat(sum).isBetween(0.999999, 1.000001);
    }
  }

  @Test
  void shouldNeverBeMoreThanOneNorNothing() {
    share.has(5, 4);
    assertThat(share.getAsDouble()).isEqualTo(1);
    share.has(0, 4);
    assertThat(share.getAsDouble()).isPositive();
    assertThat(share.taking()).isFalse();
  }

  @Test
  void shouldTellOfEveryChange() {
    AtomicInteger told = new AtomicInteger();
    share.onChange(told::incrementAndGet);
    share.has(1, 2);
    share.lost();

    assertThat(told).hasValue(2);
    assertThat(share.taking()).isFalse();
  }

  @Test
  void shouldKnowWhichRecordsAreStillItsOwn() {
    TopicPartition partition = new TopicPartition("t", 0);
    OffsetTracker offsets = new OffsetTracker();
    assertThat(offsets.holds(partition, 3)).isFalse();
    offsets.begin(partition, 3);
    assertThat(offsets.holds(partition, 3)).isTrue();

    offsets.forget(java.util.List.of(partition));

    assertThat(offsets.holds(partition, 3)).isFalse();
  }
}
