package dev.restitch.worker.command;

import dev.restitch.avro.Outcome;
import dev.restitch.control.Hold;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what comes in and what becomes of it. At rest {@code received = poisoned + handed over +
 * commands}, and {@code commands = applied + already + superseded + conflict + refused + failed}.
 * Thread-safe.
 */
public final class OutcomeCounts {

  private final LongAdder received = new LongAdder();
  private final LongAdder poisoned = new LongAdder();
  private final LongAdder handedOver = new LongAdder();
  private final LongAdder truthFailures = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private final LongAdder secondLooks = new LongAdder();
  private final Map<Outcome, LongAdder> outcomes = new EnumMap<>(Outcome.class);
  private final Map<Hold.Reason, LongAdder> holds = new EnumMap<>(Hold.Reason.class);

  /** All zero. */
  public OutcomeCounts() {
    for (Outcome outcome : Outcome.values()) {
      outcomes.put(outcome, new LongAdder());
    }
    for (Hold.Reason reason : Hold.Reason.values()) {
      holds.put(reason, new LongAdder());
    }
  }

  void onReceived() {
    received.increment();
  }

  void onPoisoned() {
    poisoned.increment();
  }

  void onRetry(boolean truth) {
    retries.increment();
    if (truth) {
      truthFailures.increment();
    }
  }

  void onSecondLook() {
    secondLooks.increment();
  }

  void onHandedOver() {
    handedOver.increment();
  }

  void onEnding(Ending ending) {
    outcomes.get(ending.repair().outcome()).increment();
    if (ending.hold() != null) {
      holds.get(ending.hold().reason()).increment();
    }
  }

  /** Records taken from the topic of repairs, again after a restart or rebalance. */
  public long received() {
    return received.sum();
  }

  /** Records that were no command. */
  public long poisoned() {
    return poisoned.sum();
  }

  /** Commands that another worker was given before they had begun here. */
  public long handedOver() {
    return handedOver.sum();
  }

  /** Commands that came to their end here, whatever it was. */
  public long commands() {
    return outcomes.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** Those refused for this reason, which may pass. */
  public long heldBy(Hold.Reason reason) {
    return holds.get(reason).sum();
  }

  /** Times that something did not answer and was tried again. */
  public long retries() {
    return retries.sum();
  }

  /** Those of {@link #retries} in which a source of truth did not answer. */
  public long truthFailures() {
    return truthFailures.sum();
  }

  /** Repairs that were looked at again one settle time later. */
  public long secondLooks() {
    return secondLooks.sum();
  }

  /** Commands that ended so. */
  public long of(Outcome outcome) {
    return outcomes.get(outcome).sum();
  }

  /** For the log. */
  @Override
  public String toString() {
    return "received="
        + received
        + " poisoned="
        + poisoned
        + " handedOver="
        + handedOver
        + " outcomes="
        + outcomes
        + " retries="
        + retries
        + " secondLooks="
        + secondLooks;
  }
}
