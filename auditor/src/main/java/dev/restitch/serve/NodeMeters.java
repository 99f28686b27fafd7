package dev.restitch.serve;

import dev.restitch.avro.Sweep;
import dev.restitch.sweep.SweepBook;
import dev.restitch.watch.NodeShare;
import dev.restitch.watch.WatchedNode;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Shows each node's coverage as metrics {@code restitch_node_*}, with the same values as the API,
 * whichever auditor watches the node; moments in seconds since the epoch, 0 where there was none.
 * What is shown is as of the last {@link #refresh}. Thread-safe.
 */
final class NodeMeters {

  private final Health health;
  private final Map<MultiGauge, ToDoubleFunction<Node>> gauges = new LinkedHashMap<>();

  /** One node now; the mark is null where it was never swept. */
  private record Node(WatchedNode watched, Sweep swept, long gapsSwept, long gapsOpen) {}

  NodeMeters(MeterRegistry meters, Health health) {
    this.health = health;
    gauge(meters, "subscribed", "1: its events come; 0: nobody sees them", this::subscribed);
    gauge(
        meters,
        "subscribed.since.seconds",
        "when the subscription was acknowledged",
        n -> seconds(n.watched().state().getSubscribedSinceMillis()));
    gauge(
        meters,
        "covered.through.seconds",
        "up to when everything was seen and published",
        n -> seconds(n.watched().coveredThroughMillis()));
    gauge(
        meters,
        "slots",
        "hash slots that it serves; 0: none, or no cluster",
        n -> n.watched().state().getSlots() == null ? 0 : n.watched().state().getSlots());
    gauge(meters, "events", "a second", n -> n.watched().state().getEventsPerSecond());
    gauge(meters, "reads", "a second", n -> n.watched().state().getReadsPerSecond());
    gauge(meters, "pending", "notifications not settled", n -> n.watched().counters().pending());
    gauge(meters, "gaps.open", "told, and not swept", Node::gapsOpen);
    gauge(meters, "gaps.swept", "told, and swept", Node::gapsSwept);
    gauge(
        meters,
        "sweep.ended.seconds",
        "when its last complete sweep ended",
        n -> n.swept() == null ? 0 : seconds(n.swept().getLastEndedAtMillis()));
    gauge(
        meters,
        "sweep.findings",
        "instances that its last complete sweep found suspicious",
        n -> n.swept() == null ? 0 : n.swept().getLastFindings());
  }

  private void gauge(
      MeterRegistry meters, String name, String description, ToDoubleFunction<Node> value) {
    gauges.put(
        MultiGauge.builder("restitch.node." + name).description(description).register(meters),
        value);
  }

  private double subscribed(Node node) {
    return node.watched().subscribed() ? 1 : 0;
  }

  private static double seconds(Long millis) {
    return millis == null ? 0 : millis / 1e3;
  }

  /** Takes every node as it is now. */
  synchronized void refresh() {
    SweepBook book = health.sweeps();
    List<String> open = health.openGaps().stream().map(SweepBook.OpenGap::name).toList();
    Map<Tags, Node> nodes = new LinkedHashMap<>();
    for (WatchedNode node : health.nodes()) {
      String name = NodeShare.name(node.store(), node.node());
      String role = node.state().getRole();
      nodes.put(
          Tags.of("store", node.store(), "node", node.node(), "role", role == null ? "" : role),
          new Node(
              node,
              book.mark(name).orElse(null),
              book.closed(name),
              open.stream().filter(name::equals).count()));
    }
    gauges.forEach(
        (gauge, value) -> {
          List<Row<?>> rows = new ArrayList<>();
          nodes.forEach((tags, node) -> rows.add(Row.of(tags, node, value)));
          gauge.register(rows, true);
        });
  }
}
