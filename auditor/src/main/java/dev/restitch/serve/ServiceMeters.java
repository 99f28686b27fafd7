package dev.restitch.serve;

import dev.restitch.probe.Prober;
import dev.restitch.probe.ProberCounters;
import dev.restitch.watch.WatchedNode;
import dev.restitch.watch.Watcher;
import dev.restitch.watch.WatcherCounters;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToLongFunction;

/** Shows the counters of watcher and prober as metrics; their equations stand at their records. */
final class ServiceMeters {

  private ServiceMeters() {}

  static void bind(MeterRegistry meters, Watcher watcher, Prober prober, IncidentFeed incidents) {
    watched(meters, watcher, "received", WatcherCounters::received);
    watched(meters, watcher, "published", WatcherCounters::published);
    watched(meters, watcher, "coalesced", WatcherCounters::coalesced);
    watched(meters, watcher, "filtered", WatcherCounters::filtered);
    watched(meters, watcher, "failed", WatcherCounters::failed);
    FunctionCounter.builder("restitch.watcher.gaps", watcher, w -> w.counters().gapsOpened())
        .register(meters);
    probed(meters, prober, "received", ProberCounters::received);
    probed(meters, prober, "answered", ProberCounters::answered);
    probed(meters, prober, "dead-lettered", ProberCounters::deadLettered);
    Gauge.builder("restitch.incidents.open", incidents, IncidentFeed::openCount).register(meters);
    Gauge.builder("restitch.watcher.blind.nodes", watcher, ServiceMeters::blind).register(meters);
    Gauge.builder("restitch.watcher.nodes", watcher, w -> w.nodes().size()).register(meters);
    Gauge.builder("restitch.watcher.pending", watcher, w -> w.counters().pending())
        .register(meters);
    Gauge.builder("restitch.watcher.gaps.open", watcher, ServiceMeters::gapsOpen).register(meters);
    FunctionCounter.builder(
            "restitch.watcher.gaps.published", watcher, w -> w.counters().gapsPublished())
        .register(meters);
  }

  private static double blind(Watcher watcher) {
    return watcher.nodes().stream().filter(n -> !n.subscribed()).count();
  }

  private static double gapsOpen(Watcher watcher) {
    return watcher.nodes().stream().filter(WatchedNode::gapOpen).count();
  }

  private static void watched(
      MeterRegistry meters, Watcher watcher, String result, ToLongFunction<WatcherCounters> of) {
    FunctionCounter.builder(
            "restitch.watcher.notifications", watcher, w -> of.applyAsLong(w.counters()))
        .tag("result", result)
        .register(meters);
  }

  private static void probed(
      MeterRegistry meters, Prober prober, String result, ToLongFunction<ProberCounters> of) {
    FunctionCounter.builder("restitch.prober.questions", prober, p -> of.applyAsLong(p.counters()))
        .tag("result", result)
        .register(meters);
  }
}
