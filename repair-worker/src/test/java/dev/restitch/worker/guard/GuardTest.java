package dev.restitch.worker.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.model.Bytes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class GuardTest {

  private static final Bytes ONE = Bytes.utf8("1");
  private static final Bytes TWO = Bytes.utf8("2");
  private static final Bytes THREE = Bytes.utf8("3");
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void shouldRefuseAnAttemptBelowTheHighestSeen() {
    AttemptFence fence = new AttemptFence(2);

    assertThat(fence.admit("a", 2)).isTrue();
    assertThat(fence.admit("a", 2)).isTrue();
    assertThat(fence.admit("a", 1)).isFalse();
    assertThat(fence.admit("b", 1)).isTrue();
    assertThat(fence.admit("a", 3)).isTrue();
  }

  @Test
  void shouldForgetTheIncidentAskedForLongestAgo() {
    AttemptFence fence = new AttemptFence(2);
    fence.admit("a", 9);
    fence.admit("b", 9);
    fence.admit("a", 9);
    fence.admit("c", 9);

    assertThat(fence.admit("a", 1)).isFalse();
    assertThat(fence.admit("b", 1)).isTrue();
  }

  @Test
  void shouldCapRewritesWithinAnHour() {
    GenerationCap cap = new GenerationCap(clock());

    assertThat(cap.take("user/1", ONE, 2)).isTrue();
    now = now.plus(Duration.ofMinutes(30));
    assertThat(cap.take("user/1", TWO, 2)).isTrue();
    assertThat(cap.take("user/1", THREE, 2)).isFalse();
    assertThat(cap.take("user/2", THREE, 2)).isTrue();
    now = now.plus(Duration.ofMinutes(30).minusMillis(1));
    assertThat(cap.take("user/1", THREE, 2)).isFalse();
    now = now.plusMillis(1);
    assertThat(cap.take("user/1", THREE, 2)).isTrue();
  }

  @Test
  void shouldNotCountOneRewriteTwice() {
    GenerationCap cap = new GenerationCap(clock());

    assertThat(cap.take("user/1", ONE, 1)).isTrue();
    assertThat(cap.take("user/1", ONE, 1)).isTrue();
    assertThat(cap.take("user/1", TWO, 1)).isFalse();
  }

  private Clock clock() {
    return new Clock() {
      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        return this;
      }

      @Override
      public Instant instant() {
        return now;
      }
    };
  }
}
