package dev.restitch.serve;

import dev.restitch.probe.Prober;
import dev.restitch.topology.ConsistencyBoard;
import dev.restitch.topology.JudgeStreams;
import dev.restitch.watch.WatchedNode;
import dev.restitch.watch.Watcher;
import java.util.List;

/** How the parts of this auditor stand. Thread-safe. */
public final class Health {

  private final JudgeStreams judge;
  private final Watcher watcher;
  private final Prober prober;

  Health(JudgeStreams judge, Watcher watcher, Prober prober) {
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

  List<WatchedNode> nodes() {
    return watcher.nodes();
  }

  /** Consistent, Diverging or Blind. */
  String sentence(long openIncidents) {
    boolean blind = !ready() || nodes().stream().anyMatch(n -> !n.subscribed());
    if (blind) {
      return "Blind";
    }
    return openIncidents > 0 ? "Diverging" : "Consistent";
  }
}
