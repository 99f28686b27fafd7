package dev.restitch.watch;

import dev.restitch.avro.Coverage;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Everything is this share's, and the marks are those that a producer was given. */
final class RememberedMarks implements NodeShare {

  private final TestProducer producer;

  RememberedMarks(TestProducer producer) {
    this.producer = producer;
  }

  @Override
  public boolean owns(String name) {
    return true;
  }

  @Override
  public boolean settled() {
    return true;
  }

  @Override
  public CompletableFuture<Optional<Coverage>> lastMark(String name) {
    return CompletableFuture.completedFuture(present(name));
  }

  @Override
  public Optional<Coverage> present(String name) {
    List<Coverage> marks =
        producer.values("restitch-coverage", Coverage.class).stream()
            .filter(mark -> NodeShare.name(mark.getStore(), mark.getNode()).equals(name))
            .toList();
    return marks.isEmpty() ? Optional.empty() : Optional.of(marks.get(marks.size() - 1));
  }

  @Override
  public void onChange(Runnable listener) {
    // it never changes
  }
}
