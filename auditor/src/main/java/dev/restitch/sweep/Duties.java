package dev.restitch.sweep;

import dev.restitch.avro.Sweep;
import dev.restitch.sweep.SweepBook.OpenGap;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Decides which node of a store comes next: one with a gap of its own, the oldest first; then, for
 * gaps of nodes that are no primaries any more and whose keys are elsewhere now, every other; then
 * the background sweep of the node that waits longest. Thread-safe, without state of its own.
 */
final class Duties {

  private final String store;
  private final SweepBook book;
  private final boolean background;
  private final long everyMillis;

  /**
   * @param background false: only gaps are swept
   * @param every least time between the beginnings of two background sweeps of a node
   */
  Duties(String store, SweepBook book, boolean background, Duration every) {
    this.store = store;
    this.book = book;
    this.background = background;
    this.everyMillis = every.toMillis();
  }

  /**
   * The next duty; empty if there is none now.
   *
   * @param owned names of the nodes that may be swept now
   * @param present names of all primaries of the store
   * @param underWay a background sweep of the node has begun and is not complete
   */
  Optional<Duty> next(
      Collection<String> owned,
      Collection<String> present,
      Predicate<String> underWay,
      long nowMillis) {
    closeElsewhere(present);
    return owned.stream()
        .flatMap(name -> book.oldest(name).stream())
        .min(Comparator.comparingLong(OpenGap::offset))
        .map(gap -> duty(gap.name(), true))
        .or(() -> elsewhere(owned, present))
        .or(() -> inTurn(owned, underWay, nowMillis));
  }

  /** Closes all gaps that are known when it is decided on, so that is asked last. */
  private Duty duty(String name, boolean forGap) {
    return new Duty(name, forGap, book.gapsRead());
  }

  private Optional<Duty> elsewhere(Collection<String> owned, Collection<String> present) {
    long last =
        book.openElsewhere(store, present).stream().mapToLong(OpenGap::offset).max().orElse(-1);
    return owned.stream()
        .filter(name -> book.sweptThrough(name) < last)
        .min(Comparator.comparingLong(book::sweptThrough))
        .map(name -> duty(name, true));
  }

  private Optional<Duty> inTurn(
      Collection<String> owned, Predicate<String> underWay, long nowMillis) {
    if (!background) {
      return Optional.empty();
    }
    return owned.stream()
        .filter(underWay)
        .findFirst()
        .or(
            () ->
                owned.stream()
                    .filter(name -> nowMillis - lastBegan(name) >= everyMillis)
                    .min(Comparator.comparingLong(this::lastBegan)))
        .map(name -> duty(name, false));
  }

  private long lastBegan(String name) {
    return book.mark(name).map(Sweep::getLastStartedAtMillis).map(Long::longValue).orElse(0L);
  }

  /** Gaps of nodes that are gone are swept when every primary is, from after they were told on. */
  private void closeElsewhere(Collection<String> present) {
    List<OpenGap> gone = book.openElsewhere(store, present);
    if (gone.isEmpty() || present.isEmpty()) {
      return;
    }
    long swept = present.stream().mapToLong(book::sweptThrough).min().orElse(-1);
    gone.stream()
        .filter(gap -> gap.offset() <= swept)
        .forEach(gap -> book.close(gap.name(), gap.offset()));
  }
}
