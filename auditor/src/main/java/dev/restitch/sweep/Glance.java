package dev.restitch.sweep;

import dev.restitch.avro.Reading;
import dev.restitch.config.RelationConfig;
import dev.restitch.config.Relations.Side;
import dev.restitch.config.SideType;
import dev.restitch.read.SideReader;
import dev.restitch.stamp.StampTemplate;
import dev.restitch.store.StoreNode;
import io.lettuce.core.RedisFuture;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * The cheapest look at one side, asked for and not yet answered: of a string only the prefix that
 * holds the stamp, by one command. What it cannot tell, an empty value from an absent key, or a
 * failure from a redirection, a second look tells.
 */
@FunctionalInterface
interface Glance {

  /** Waits for the answer, which comes or fails within the command timeout. */
  Sight sight() throws InterruptedException;

  /** Asks; the pipes must be flushed before the answer is waited for. */
  static Glance at(Side side, SideReader reader, Pipes pipes) throws InterruptedException {
    Optional<StoreNode> node = reader.nodeOf(side.key());
    if (node.isEmpty()) {
      return () -> Sight.UNREADABLE;
    }
    RelationConfig relation = side.relation();
    if (relation.sides().get(side.index()).type() != SideType.STRING) {
      CompletableFuture<Reading> reading = reader.read(side, node.get(), pipes.to(node.get()));
      return () -> of(reading);
    }
    RedisFuture<byte[]> head =
        pipes
            .to(node.get())
            .commands()
            .getrange(side.key().key().toArray(), 0, relation.stampLimit() - 1L);
    return () -> of(head, relation.stamp());
  }

  private static Sight of(CompletableFuture<Reading> reading) throws InterruptedException {
    try {
      return Sight.of(reading.get());
    } catch (ExecutionException | CancellationException e) {
      return Sight.UNREADABLE;
    }
  }

  private static Sight of(RedisFuture<byte[]> head, StampTemplate template)
      throws InterruptedException {
    try {
      byte[] seen = head.get();
      return seen.length == 0
          ? Sight.ABSENT
          : template
              .read(seen)
              .map(parsed -> Sight.stamped(parsed.stamp()))
              .orElse(Sight.UNSTAMPED);
    } catch (ExecutionException | CancellationException e) {
      return Sight.UNREADABLE;
    }
  }
}
