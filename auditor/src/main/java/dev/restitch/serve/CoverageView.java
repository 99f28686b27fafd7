package dev.restitch.serve;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.restitch.avro.Gap;
import dev.restitch.avro.Sweep;
import dev.restitch.sweep.SweepBook;
import dev.restitch.sweep.SweepBook.OpenGap;
import dev.restitch.watch.NodeShare;
import dev.restitch.watch.WatchedNode;
import java.util.List;

/**
 * Per node what is watched and swept, as the API shows it; times in epoch milliseconds. Stateless.
 */
final class CoverageView {

  private CoverageView() {}

  /**
   * All nodes, and the gaps that no sweep has closed.
   *
   * @param open the oldest first; of nodes that are no primaries any more too
   */
  static ObjectNode of(List<WatchedNode> watched, SweepBook sweeps, List<OpenGap> open) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    ArrayNode nodes = body.putArray("nodes");
    for (WatchedNode node : watched) {
      String name = NodeShare.name(node.store(), node.node());
      ObjectNode one = nodes.addObject();
      watched(one, node);
      one.put("gapsOpen", open.stream().filter(gap -> gap.name().equals(name)).count());
      one.put("gapsSwept", sweeps.closed(name));
      sweeps
          .mark(name)
          .ifPresentOrElse(
              mark -> {
                lastSweep(one.putObject("lastSweep"), mark);
                underWay(one, mark);
              },
              () -> one.putNull("lastSweep").putNull("sweep"));
    }
    ArrayNode gaps = body.putArray("openGaps");
    open.forEach(gap -> gap(gaps.addObject(), gap));
    return body;
  }

  private static void watched(ObjectNode one, WatchedNode n) {
    one.put("store", n.store())
        .put("node", n.node())
        .put("subscribed", n.subscribed())
        .put("gapOpen", n.gapOpen())
        .put("coveredThrough", n.coveredThroughMillis())
        .put("received", n.counters().received())
        .put("published", n.counters().published())
        .put("coalesced", n.counters().coalesced())
        .put("filtered", n.counters().filtered())
        .put("failed", n.counters().failed())
        .put("pending", n.counters().pending())
        .put("gaps", n.counters().gapsOpened())
        .put("gapsPublished", n.counters().gapsPublished())
        .put("gapOpenSince", n.state().getGapOpenSinceMillis())
        .put("owner", n.state().getOwner())
        .put("role", n.state().getRole())
        .put("slots", n.state().getSlots())
        .put("subscribedSince", n.state().getSubscribedSinceMillis())
        .put("eventsPerSecond", n.state().getEventsPerSecond())
        .put("readsPerSecond", n.state().getReadsPerSecond())
        .put("trouble", n.state().getTrouble());
  }

  private static void lastSweep(ObjectNode last, Sweep mark) {
    last.put("startedAt", mark.getLastStartedAtMillis())
        .put("endedAt", mark.getLastEndedAtMillis())
        .put("scanned", mark.getLastScanned())
        .put("compared", mark.getLastCompared())
        .put("findings", mark.getLastFindings())
        .put("unreadable", mark.getLastUnreadable());
  }

  private static void underWay(ObjectNode one, Sweep mark) {
    if (mark.getCursor() == null) {
      one.putNull("sweep");
    } else {
      one.putObject("sweep")
          .put("forGap", mark.getForGap())
          .put("startedAt", mark.getStartedAtMillis())
          .put("keys", mark.getKeys())
          .put("scanned", mark.getScanned())
          .put("compared", mark.getCompared())
          .put("findings", mark.getFindings())
          .put("paused", mark.getPaused());
    }
    one.put("sweepTrouble", mark.getTrouble());
  }

  private static void gap(ObjectNode one, OpenGap open) {
    Gap gap = open.gap();
    one.put("store", gap.getStore())
        .put("node", gap.getNode())
        .put("from", gap.getFromMillis())
        .put("to", gap.getToMillis())
        .put("why", gap.getWhy())
        .put("toldAt", open.toldAtMillis());
  }
}
