package dev.restitch.worker.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class OffsetTrackerTest {

  private static final TopicPartition ONE = new TopicPartition("t", 1);
  private static final TopicPartition TWO = new TopicPartition("t", 2);
  private final OffsetTracker tracker = new OffsetTracker();

  @Test
  void shouldCommitNothingBeforeTheFirstIsDone() {
    begin(ONE, 5, 6, 7);
    tracker.end(ONE, 7);
    tracker.end(ONE, 6);

    assertThat(tracker.due()).isEqualTo(offsets(ONE, 5));
    tracker.end(ONE, 5);
    assertThat(tracker.due()).isEqualTo(offsets(ONE, 8));
    assertThat(tracker.open()).isZero();
  }

  @Test
  void shouldNotCommitTheSameTwice() {
    begin(ONE, 0, 1);
    tracker.end(ONE, 0);
    tracker.committed(tracker.due());

    assertThat(tracker.due()).isEmpty();
  }

  @Test
  void shouldKeepPartitionsApart() {
    begin(ONE, 0);
    begin(TWO, 9);
    tracker.end(TWO, 9);
    tracker.committed(offsets(ONE, 0));

    assertThat(tracker.due()).isEqualTo(offsets(TWO, 10));
    assertThat(tracker.open()).isEqualTo(1);
  }

  @Test
  void shouldForgetPartitionsThatAreLost() {
    begin(ONE, 0, 1);
    tracker.forget(List.of(ONE));
    tracker.end(ONE, 0);

    assertThat(tracker.open()).isZero();
    assertThat(tracker.due()).isEmpty();
  }

  @Test
  void shouldReadAgainWhatWasNotTaken() {
    begin(ONE, 4, 5);
    tracker.undo(ONE, 5);
    tracker.end(ONE, 4);

    assertThat(tracker.due()).isEqualTo(offsets(ONE, 5));
  }

  private void begin(TopicPartition partition, long... offsets) {
    for (long offset : offsets) {
      tracker.begin(partition, offset);
    }
  }

  private static Map<TopicPartition, OffsetAndMetadata> offsets(
      TopicPartition partition, long offset) {
    return Map.of(partition, new OffsetAndMetadata(offset));
  }
}
