package dev.restitch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.config.Relations.Side;
import dev.restitch.model.Bytes;
import dev.restitch.read.TestStores;
import dev.restitch.watch.KeyQueue.Cause;
import org.junit.jupiter.api.Test;

class CoverageMarksTest {

  private final Side side =
      TestStores.config("{ uri: \"redis://a:1\" }", "{ uri: \"redis://b:1\" }")
          .resolver()
          .resolve("east", Bytes.utf8("user:1:profile"))
          .orElseThrow();
  private final KeyQueue queue = new KeyQueue(10, 10);
  private final CoverageMarks marks = new CoverageMarks(queue);

  @Test
  void shouldCoverAtOnceWhereNothingIsUnsettled() {
    marks.receivedThrough(1_000);

    assertThat(marks.settledThrough()).isEqualTo(1_000);
    assertThat(marks.settledThrough()).isEqualTo(-1);
  }

  @Test
  void shouldCoverOnlyWhatIsPublished() {
    marks.receivedThrough(1_000);
    queue.receive(side, "set");
    queue.next();
    Cause cause = queue.cause(side);
    marks.receivedThrough(2_000);
    queue.finish(side);

    assertThat(marks.settledThrough()).isEqualTo(1_000);
    queue.published(cause);
    assertThat(marks.settledThrough()).isEqualTo(2_000);
  }

  @Test
  void shouldForgetMarksOfALostSubscription() {
    marks.receivedThrough(1_000);
    marks.forget();

    assertThat(marks.settledThrough()).isEqualTo(-1);
  }
}
