package dev.restitch.worker.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LanesTest {

  private final Lanes lanes = new Lanes(Runnable::run);
  private final List<String> begun = new ArrayList<>();

  @Test
  void shouldRunTheTasksOfOneInstanceOneAfterTheOther() {
    CompletableFuture<Void> first = submit("a", "a1");
    CompletableFuture<Void> second = submit("a", "a2");
    CompletableFuture<Void> other = submit("b", "b1");

    assertThat(begun).containsExactly("a1", "b1");
    first.complete(null);
    assertThat(begun).containsExactly("a1", "b1", "a2");
    assertThat(second).isNotDone();
    assertThat(other).isNotDone();
  }

  @Test
  void shouldGoOnAfterATaskThatFails() {
    CompletableFuture<Void> first = submit("a", "a1");
    lanes.submit(
        "a",
        () -> {
          throw new IllegalStateException("thrown");
        });
    CompletableFuture<Void> third = submit("a", "a3");
    first.completeExceptionally(new IllegalStateException("failed"));

    assertThat(begun).containsExactly("a1", "a3");
    assertThat(third).isNotDone();
  }

  @Test
  void shouldRememberNothingOfInstancesThatRest() {
    CompletableFuture<Void> first = submit("a", "a1");
    assertThat(lanes.busy()).isEqualTo(1);
    first.complete(null);
    assertThat(lanes.busy()).isZero();
  }

  private CompletableFuture<Void> submit(String instance, String name) {
    CompletableFuture<Void> ending = new CompletableFuture<>();
    lanes.submit(
        instance,
        () -> {
          begun.add(name);
          return ending;
        });
    return ending;
  }
}
