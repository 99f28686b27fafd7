package dev.restitch.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BoundedCacheTest {

  @Test
  void shouldNeverGrowPastItsLimitAndKeepTheNewest() {
    BoundedCache<Integer, String> cache = new BoundedCache<>(3);
    for (int i = 0; i < 100; i++) {
      cache.put(i, "v" + i);
      assertThat(cache.size()).isLessThanOrEqualTo(3);
      assertThat(cache.peek(i)).isEqualTo("v" + i);
    }
  }

  @Test
  void shouldLoadOnceAndNotCacheFailures() {
    BoundedCache<String, Integer> cache = new BoundedCache<>(3);
    AtomicInteger loads = new AtomicInteger();
    assertThatThrownBy(
            () ->
                cache.get(
                    "a",
                    key -> {
                      throw new IllegalStateException("not now");
                    }))
        .hasMessage("not now");

    assertThat(cache.get("a", key -> loads.incrementAndGet())).isEqualTo(1);
    assertThat(cache.get("a", key -> loads.incrementAndGet())).isEqualTo(1);
  }

  @Test
  void shouldRefuseALimitBelowOne() {
    assertThatThrownBy(() -> new BoundedCache<String, String>(0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
