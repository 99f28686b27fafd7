package dev.restitch.serve;

import dev.restitch.probe.Prober;
import dev.restitch.topology.ConsistencyBoard;
import dev.restitch.topology.JudgeStreams;
import dev.restitch.watch.WatchedNode;
import dev.restitch.watch.Watcher;
import java.time.Duration;
import java.util.List;

/** How the parts of this auditor stand. Thread-safe. */
public final class Health {

  private final JudgeStreams judge;
  private final Watcher watcher;
  private final Prober prober;
  private final Duration gapPatience;

  /**
   * @param gapPatience how long a gap may stay open
   */
  Health(JudgeStreams judge, Watcher watcher, Prober prober, Duration gapPatience) {
    this.gapPatience = gapPatience;
    this.judge = judge;
    this.watcher = watcher;
    this.prober = prober;
  }

  boolean live() {
    return judge.stopped().getCount() > 0 && prober.running();
  }

  boolean ready() {
    return live() && judge.running() && watcher.subscribed();
  }

  String judgeState() {
    return judge.state();
  }

  ConsistencyBoard consistency() {
    return judge.consistency();
  }

  /** Every primary, whichever auditor watches it. */
  List<WatchedNode> nodes() {
    return watcher.everyNode();
  }

  /** Consistent, Diverging or Blind: a node unsubscribed now, or a gap older than its patience. */
  String sentence(long openIncidents) {
    if (!ready() || nodes().stream().anyMatch(this::blind)) {
      return "Blind";
    }
    return openIncidents > 0 ? "Diverging" : "Consistent";
  }

  private boolean blind(WatchedNode node) {
    Long open = node.state().getGapOpenSinceMillis();
    return !node.subscribed()
        || (open != null && System.currentTimeMillis() - open > gapPatience.toMillis());
  }
}
