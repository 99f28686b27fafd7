package dev.restitch.worker.guard;

import dev.restitch.control.ControlBook;
import dev.restitch.control.Hold;
import dev.restitch.control.Hold.Reason;
import dev.restitch.control.Proposal;
import java.util.Optional;

/**
 * Says whether a repair may be made now: not while it is paused, braked, blind, not approved,
 * discarded or suppressed, nor in a dry run. Thread-safe.
 */
public final class Guard {

  private final ControlBook book;
  private final boolean dryRun;

  /**
   * @param dryRun true: this worker never makes a repair
   */
  public Guard(ControlBook book, boolean dryRun) {
    this.book = book;
    this.dryRun = dryRun;
  }

  /** Why it may not; empty: it may. */
  public Optional<HeldException> objection(Proposal proposal) {
    return book.hold(proposal)
        .or(
            () ->
                dryRun
                    ? Optional.of(new Hold(Reason.DRY_RUN, "this worker runs dry"))
                    : Optional.empty())
        .map(
            hold ->
                new HeldException(
                    hold.reason() == Reason.DRY_RUN
                        ? new Hold(
                            Reason.DRY_RUN,
                            hold.words()
                                + "; it would carry out "
                                + proposal.policy()
                                + " on "
                                + String.join(", ", proposal.stores()))
                        : hold));
  }
}
