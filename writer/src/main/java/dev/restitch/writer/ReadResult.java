package dev.restitch.writer;

import dev.restitch.model.StoreKey;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The sides of one instance, read one by one and compared.
 *
 * @param instance its name, such as {@code user/123}
 * @param sides in the order of the relation
 * @param consistency of the sides that were read
 * @param newest the key of the most recent side; null where nothing tells which that is
 */
public record ReadResult(
    String instance, List<SideRead> sides, Consistency consistency, StoreKey newest) {

  public ReadResult {
    Objects.requireNonNull(instance, "instance");
    Objects.requireNonNull(consistency, "consistency");
    sides = List.copyOf(sides);
  }

  /**
   * The most recent side: the one to serve while the instance is torn. Where several carry the
   * newest stamp it is the first of them. Empty where no side carries a stamp, where one carries
   * something without a stamp, and where the order of versions does not tell: order {@code none},
   * timestamps at most {@code max-skew} apart, two transactions of one version. An absent or
   * unreadable side is never the most recent, though what it had may have been newer.
   *
   * <p>A counter that a failover has set back is taken at its word here; only the audit knows.
   */
  public Optional<SideRead> mostRecent() {
    return sides.stream().filter(s -> s.key().equals(newest)).findFirst();
  }

  /**
   * A side by its name.
   *
   * @throws IllegalArgumentException if it was not read
   */
  public SideRead side(String name) {
    return sides.stream()
        .filter(s -> s.side().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("side " + name + " was not read"));
  }
}
