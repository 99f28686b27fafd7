package dev.restitch.worker;

import dev.restitch.avro.Outcome;
import dev.restitch.control.Hold;
import dev.restitch.worker.command.OutcomeCounts;
import dev.restitch.worker.command.PartitionShare;
import dev.restitch.worker.guard.RatePermits;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The worker's counters as metrics. At rest {@code restitch.worker.records} (received) = poisoned +
 * handed over + {@code restitch.worker.commands}, whose outcomes are applied, already, superseded,
 * conflict, refused and failed.
 */
final class WorkerMeters {

  private WorkerMeters() {}

  static void bind(
      MeterRegistry meters, OutcomeCounts counts, RatePermits permits, PartitionShare share) {
    records(meters, counts, "received", OutcomeCounts::received);
    records(meters, counts, "poisoned", OutcomeCounts::poisoned);
    records(meters, counts, "handed-over", OutcomeCounts::handedOver);
    for (Outcome outcome : Outcome.values()) {
      if (outcome != Outcome.UNKNOWN) {
        FunctionCounter.builder("restitch.worker.commands", counts, c -> c.of(outcome))
            .description("Commands by their outcome.")
            .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
            .register(meters);
      }
    }
    for (Hold.Reason reason : Hold.Reason.values()) {
      FunctionCounter.builder("restitch.worker.held", counts, c -> c.heldBy(reason))
          .description("Refused commands that may be carried out later, by what held them.")
          .tag("reason", reason.label())
          .register(meters);
    }
    count(meters, counts, "restitch.worker.retries", OutcomeCounts::retries);
    count(meters, counts, "restitch.worker.truth.failures", OutcomeCounts::truthFailures);
    count(meters, counts, "restitch.worker.second.looks", OutcomeCounts::secondLooks);
    Gauge.builder("restitch.worker.waiting", permits, RatePermits::waiting)
        .description("Commands that wait for their turn.")
        .register(meters);
    Gauge.builder("restitch.worker.in.progress", permits, RatePermits::inside)
        .description("Commands that are being carried out.")
        .register(meters);
    Gauge.builder("restitch.worker.share", share, s -> s.taking() ? s.getAsDouble() : 0)
        .description("This worker's part of all commands, and so of every rate.")
        .register(meters);
  }

  private static void records(
      MeterRegistry meters,
      OutcomeCounts counts,
      String result,
      ToDoubleFunction<OutcomeCounts> of) {
    FunctionCounter.builder("restitch.worker.records", counts, of)
        .description("Records of the topic of repairs.")
        .tag("result", result)
        .register(meters);
  }

  private static void count(
      MeterRegistry meters, OutcomeCounts counts, String name, ToDoubleFunction<OutcomeCounts> of) {
    FunctionCounter.builder(name, counts, of).register(meters);
  }
}
