package dev.restitch.sweep;

import dev.restitch.avro.Sweep;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/**
 * Shows what sweeps do as metrics {@code restitch_sweep_*}. Of this auditor: {@code scanned} = the
 * sum of {@code keys} over all results + {@code pending}.
 */
public final class SweepMeters {

  private SweepMeters() {}

  /** Registers them. */
  public static void bind(MeterRegistry meters, Sweeper sweeper) {
    FunctionCounter.builder("restitch.sweep.scanned", sweeper, s -> s.counters().scanned())
        .description("keys that SCAN gave")
        .register(meters);
    for (Fate fate : Fate.values()) {
      FunctionCounter.builder("restitch.sweep.keys", sweeper, s -> s.counters().of(fate))
          .description("what became of the scanned keys")
          .tag("result", fate.name().toLowerCase(Locale.ROOT))
          .register(meters);
    }
    FunctionCounter.builder("restitch.sweep.compared", sweeper, s -> s.counters().compared())
        .description("instances compared")
        .register(meters);
    FunctionCounter.builder("restitch.sweep.findings", sweeper, s -> s.counters().findings())
        .description("instances found suspicious, twice")
        .register(meters);
    FunctionCounter.builder("restitch.sweep.pauses", sweeper, Sweeper::pauses)
        .description("pauses for the sake of a store")
        .register(meters);
    FunctionCounter.builder("restitch.sweep.gaps.swept", sweeper, s -> s.book().closed())
        .description("gaps that sweeps have closed, of all auditors, since the topic begins")
        .register(meters);
    Gauge.builder("restitch.sweep.gaps.open", sweeper, s -> s.book().open().size())
        .description("gaps that no sweep has closed yet, of all auditors")
        .register(meters);
    Gauge.builder("restitch.sweep.pending", sweeper, s -> s.counters().pending())
        .description("keys whose instance is still to be looked at, or to be published")
        .register(meters);
    Gauge.builder("restitch.sweep.under.way", sweeper, SweepMeters::underWay)
        .description("nodes that are being swept, of all auditors")
        .register(meters);
  }

  private static double underWay(Sweeper sweeper) {
    return sweeper.book().marks().stream().map(Sweep::getCursor).filter(c -> c != null).count();
  }
}
