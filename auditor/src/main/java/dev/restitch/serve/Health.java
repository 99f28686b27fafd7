package dev.restitch.serve;

import dev.restitch.probe.Prober;
import dev.restitch.sweep.SweepBook;
import dev.restitch.sweep.SweepBook.OpenGap;
import dev.restitch.sweep.Sweeper;
import dev.restitch.topology.ConsistencyBoard;
import dev.restitch.topology.JudgeStreams;
import dev.restitch.watch.WatchedNode;
import dev.restitch.watch.Watcher;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How the parts of this auditor stand. Thread-safe. */
public final class Health {

  private final JudgeStreams judge;
  private final Watcher watcher;
  private final Prober prober;
  private final Sweeper sweeper;
  private final Duration gapPatience;

  /**
   * @param gapPatience how long a gap may stay open: untold, or told and not swept
   */
  Health(
      JudgeStreams judge, Watcher watcher, Prober prober, Sweeper sweeper, Duration gapPatience) {
    this.gapPatience = gapPatience;
    this.judge = judge;
    this.watcher = watcher;
    this.prober = prober;
    this.sweeper = sweeper;
  }

  boolean live() {
    return judge.stopped().getCount() > 0 && prober.running() && sweeper.running();
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

  /** What is known of gaps and sweeps, whichever auditor told it. */
  SweepBook sweeps() {
    return sweeper.book();
  }

  /** The gaps that no sweep has closed yet, the oldest first; of nodes that are gone too. */
  List<OpenGap> openGaps() {
    return sweeper.book().open();
  }

  /** Consistent, Diverging or Blind: a node unsubscribed now, or a gap older than its patience. */
  String sentence(long openIncidents) {
    if (whyBlind().isPresent()) {
      return "Blind";
    }
    return openIncidents > 0 ? "Diverging" : "Consistent";
  }

  /** Why nothing can be promised now; empty: it can. */
  Optional<String> whyBlind() {
    long tooOld = System.currentTimeMillis() - gapPatience.toMillis();
    return ready()
        ? nodes().stream()
            .flatMap(node -> whyBlind(node, tooOld).stream())
            .findFirst()
            .or(
                () ->
                    openGaps().stream()
                        .filter(gap -> gap.toldAtMillis() < tooOld)
                        .findFirst()
                        .map(gap -> "a gap of " + gap.name() + " is not swept yet"))
        : Optional.of(live() ? "the auditor is not ready yet" : "a part of the auditor ended");
  }

  private static Optional<String> whyBlind(WatchedNode node, long tooOld) {
    Long open = node.state().getGapOpenSinceMillis();
    String name = node.store() + "/" + node.node();
    if (!node.subscribed()) {
      return Optional.of(name + " is not watched: " + node.state().getTrouble());
    }
    return open != null && open < tooOld
        ? Optional.of("a gap of " + name + " is not told yet")
        : Optional.empty();
  }
}
