package dev.restitch.brake;

import dev.restitch.control.ControlBook;
import dev.restitch.control.Directive;
import dev.restitch.control.Scope.Kind;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * Finds the settings about single incidents that concern nothing any more, so that the book does
 * not grow for ever. Thread-safe.
 */
public final class SettledControls {

  /** Longer than a second look at a repair may take. */
  static final Duration KEPT = Duration.ofMinutes(15);

  private final ControlBook book;
  private final Predicate<String> closed;
  private final Clock clock;

  /**
   * @param closed true for the id of an incident that is known to be closed for good
   */
  public SettledControls(ControlBook book, Predicate<String> closed, Clock clock) {
    this.book = book;
    this.closed = closed;
    this.clock = clock;
  }

  /** Their keys. */
  public List<String> keys() {
    long youngest = clock.millis() - KEPT.toMillis();
    return book.all().stream()
        .filter(d -> d.scope().kind() == Kind.INCIDENT && d.atMillis() < youngest)
        .filter(d -> closed.test(d.scope().name().substring(d.scope().name().indexOf('#') + 1)))
        .map(Directive::key)
        .toList();
  }
}
