package dev.restitch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.config.Relations;
import dev.restitch.config.Relations.Side;
import dev.restitch.model.Bytes;
import dev.restitch.read.TestStores;
import dev.restitch.watch.KeyQueue.Cause;
import dev.restitch.watch.KeyQueue.Receipt;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyQueueTest {

  private static final Relations RELATIONS =
      TestStores.config("{ uri: \"redis://a:1\" }", "{ uri: \"redis://b:1\" }").resolver();

  private final KeyQueue queue = new KeyQueue(4, 2);

  private static Side side(int id) {
    return RELATIONS.resolve("east", Bytes.utf8("user:" + id + ":profile")).orElseThrow();
  }

  private void settle(Side side) {
    Cause cause = queue.cause(side);
    queue.finish(side);
    queue.published(cause);
  }

  @Test
  void shouldReadAKeyAgainThatChangedWhileItWasRead() {
    queue.receive(side(1), "set");
    assertThat(queue.next()).contains(side(1));

    assertThat(queue.receive(side(1), "del")).isEqualTo(Receipt.JOINED);
    assertThat(queue.next()).isEmpty();
    assertThat(queue.cause(side(1)).event()).isEqualTo("set");
    settle(side(1));

    assertThat(queue.next()).contains(side(1));
    assertThat(queue.cause(side(1)).event()).isEqualTo("del");
    settle(side(1));
    assertThat(queue.counters()).isEqualTo(new WatcherCounters(2, 2, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void shouldCoalesceABurstIntoTheReadingThatFollowsIt() {
    queue.receive(side(1), "set");
    queue.next();
    for (int i = 0; i < 10; i++) {
      queue.receive(side(1), "set");
    }
    settle(side(1));
    queue.next();
    settle(side(1));

    assertThat(queue.next()).isEmpty();
    assertThat(queue.counters()).isEqualTo(new WatcherCounters(11, 2, 9, 0, 0, 0, 0, 0));
  }

  @Test
  void shouldRememberTheLastLossOfABurst() {
    queue.receive(side(1), "expired");
    queue.receive(side(1), "set");
    queue.receive(side(1), "del");
    queue.receive(side(1), "set");
    queue.next();

    assertThat(queue.cause(side(1)).event()).isEqualTo("set");
    assertThat(queue.cause(side(1)).loss()).isEqualTo("del");
  }

  @Test
  void shouldDropAndCountWhatIsTooMuch() {
    for (int i = 0; i < 4; i++) {
      assertThat(queue.receive(side(i), "set")).isEqualTo(Receipt.QUEUED);
    }
    assertThat(queue.receive(side(4), "set")).isEqualTo(Receipt.DROPPED);
    assertThat(queue.receive(side(0), "set")).isEqualTo(Receipt.JOINED);
    assertThat(queue.crowded()).isTrue();
    assertThat(queue.counters()).isEqualTo(new WatcherCounters(6, 0, 1, 0, 1, 4, 0, 0));
  }

  @Test
  void shouldReadOnlySoManyAtOnce() {
    queue.receive(side(1), "set");
    queue.receive(side(2), "set");
    queue.receive(side(3), "set");

    assertThat(queue.next()).isPresent();
    assertThat(queue.next()).isPresent();
    assertThat(queue.next()).isEmpty();
    settle(side(1));
    assertThat(queue.next()).contains(side(3));
  }

  @Test
  void shouldSettleAGenerationOnlyWhenAllOfItIsPublished() {
    queue.receive(side(1), "set");
    queue.next();
    long cut = queue.cut();
    queue.receive(side(2), "set");
    assertThat(queue.settledThrough(cut)).isFalse();

    Cause cause = queue.cause(side(1));
    queue.finish(side(1));
    assertThat(queue.settledThrough(cut)).isFalse();
    queue.published(cause);

    assertThat(queue.settledThrough(cut)).isTrue();
    assertThat(queue.settledThrough(queue.cut())).isFalse();
  }

  @Test
  void shouldBalanceAtEveryMomentOfARandomRun() {
    Random random = new Random(7);
    java.util.ArrayDeque<Side> reading = new java.util.ArrayDeque<>();
    for (int i = 0; i < 20_000; i++) {
      switch (random.nextInt(4)) {
        case 0 -> queue.filter();
        case 1, 2 -> queue.receive(side(random.nextInt(8)), "set");
        default -> {
          queue.next().ifPresent(reading::add);
          Side done = random.nextBoolean() ? reading.poll() : null;
          if (done != null) {
            Cause cause = queue.cause(done);
            queue.finish(done);
            if (random.nextInt(10) == 0) {
              queue.failed(cause);
            } else {
              queue.published(cause);
            }
          }
        }
      }
      assertThat(queue.counters().balanced()).isTrue();
    }
    assertThat(queue.counters().published()).isPositive();
    assertThat(queue.counters().coalesced()).isPositive();
  }
}
