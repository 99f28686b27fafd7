package dev.restitch.worker.apply;

import dev.restitch.config.Relations.Side;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import dev.restitch.writer.Expiry;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Reads and changes the sides of instances, and markers. Every change is decided where the key
 * stands, in one step, by what stands there. Thread-safe; never blocks; stages fail with the
 * store's own exception, or with {@link StoreFencedException}.
 */
public interface SideStore {

  /** What {@link #ttlMillis} says where there is no key. */
  long NO_KEY = -2;

  /** What stands on a side now; reads no payload. Of a log only whether it is there. */
  CompletionStage<Standing> read(Side side);

  /** True if a side carries this stamp now; a log, if an entry of its token stands in the tail. */
  CompletionStage<Boolean> carries(Side side, Stamp stamp);

  /** All that stands on a side, which is no log. */
  CompletionStage<Held> hold(Side side);

  /** Time to live that is left, in milliseconds; -1: none, {@link #NO_KEY}: no key. */
  CompletionStage<Long> ttlMillis(StoreKey side);

  /**
   * Writes a side, which is no log, if what is expected stands there. Fields of a hash that the
   * payload does not have are removed.
   *
   * @param target the new stamp
   */
  CompletionStage<Change> compareAndSet(
      Side side, Expectation expected, Stamp target, Payload payload, Expiry expiry);

  /** Removes a side, which is no log, if what is expected stands there. */
  CompletionStage<Change> compareAndDelete(Side side, Expectation expected);

  /**
   * Appends an entry to a log if no entry of its token stands in the tail of the log, and the
   * newest entry that was expected still does.
   *
   * @param score null: the log is a list
   * @param expiry of a log that was absent; one that is there keeps its own
   */
  CompletionStage<Change> append(
      Side log, Expectation.Tail expected, Stamp stamp, Bytes payload, Double score, Expiry expiry);

  /** Takes back what was appended to an absent log, where it is still the only entry. */
  CompletionStage<Change> withdraw(Side log, Stamp stamp, Bytes payload);

  /** The score of a token's entry in the tail of a sorted set; empty if there is none. */
  CompletionStage<Optional<Double>> scoreOf(Side log, Bytes token);

  /**
   * Writes a commit marker where none stands.
   *
   * @param expiry none, or after some time
   */
  CompletionStage<Change> mark(StoreKey marker, Expiry expiry);
}
