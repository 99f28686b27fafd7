package dev.restitch.sweep;

import dev.restitch.avro.Reading;
import dev.restitch.config.Relations.Side;
import dev.restitch.store.StoreNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks again at what looked wrong: one settle time later, so that a write in flight has landed,
 * and until two looks see the same. What still looks wrong is raised; what cannot be read is tried
 * several times, and never taken for absent. Belongs to one thread.
 */
final class Doubts {

  /** Doubts at once; while there are as many, the scan waits. */
  static final int MOST = 4_096;

  /** Looks at one instance that keeps changing, before it is raised as it is. */
  static final int LOOKS = 4;

  /** Attempts to read one instance. */
  static final int ATTEMPTS = 6;

  private static final Logger LOG = LoggerFactory.getLogger(Doubts.class);
  private static final int AT_ONCE = 256;
  private static final Duration UNREADABLE_FIRST = Duration.ofMillis(250);
  private static final Duration UNREADABLE_LONGEST = Duration.ofSeconds(4);
  private static final Duration PUBLISH_AGAIN = Duration.ofSeconds(1);
  private static final Duration CHANGED = Duration.ofSeconds(1);

  private final SweepTools tools;
  private final Tally tally;
  private final boolean forGap;
  private final long beganNanos;
  private final PriorityQueue<Doubt> waiting =
      new PriorityQueue<>(Comparator.comparingLong(doubt -> doubt.dueNanos));
  private final List<Doubt> publishing = new ArrayList<>();

  Doubts(SweepTools tools, Tally tally, boolean forGap, long beganNanos) {
    this.tools = tools;
    this.tally = tally;
    this.forGap = forGap;
    this.beganNanos = beganNanos;
  }

  /** Doubts that are not settled. */
  int open() {
    return waiting.size() + publishing.size();
  }

  /** How long until there is something to do; at most the given time. */
  long waitNanos(long nowNanos, long most) {
    if (!publishing.isEmpty()) {
      return Math.min(most, 1_000_000);
    }
    return waiting.isEmpty()
        ? most
        : Math.min(most, Math.max(0, waiting.peek().dueNanos - nowNanos));
  }

  /** Adds an instance that the first look found suspicious, or could not read. */
  void add(Doubt doubt, Comparison first, long nowNanos) {
    doubt.page.open++;
    if (first == Comparison.UNREADABLE) {
      doubt.unreadable = 1;
      doubt.dueNanos = nowNanos + UNREADABLE_FIRST.toNanos();
    } else {
      doubt.dueNanos = nowNanos + doubt.relation().settle().toNanos();
    }
    waiting.add(doubt);
  }

  /** Does what is due. */
  void work(long nowNanos) throws InterruptedException {
    hearPublished(nowNanos);
    List<Doubt> due = new ArrayList<>();
    while (!waiting.isEmpty() && waiting.peek().dueNanos - nowNanos <= 0 && due.size() < AT_ONCE) {
      due.add(waiting.remove());
    }
    if (due.isEmpty()) {
      return;
    }
    List<List<CompletableFuture<Reading>>> asked = new ArrayList<>(due.size());
    for (Doubt doubt : due) {
      List<CompletableFuture<Reading>> one = new ArrayList<>(doubt.sides.size());
      for (Side side : doubt.sides) {
        one.add(read(side));
      }
      asked.add(one);
    }
    tools.pipes().flush();
    for (int i = 0; i < due.size(); i++) {
      judge(due.get(i), asked.get(i).stream().map(CompletableFuture::join).toList());
    }
  }

  private CompletableFuture<Reading> read(Side side) throws InterruptedException {
    Optional<StoreNode> node = tools.reader().nodeOf(side.key());
    return node.isEmpty()
        ? tools.reader().read(side)
        : tools.reader().read(side, node.get(), tools.pipes().to(node.get()));
  }

  private void judge(Doubt doubt, List<Reading> readings) {
    List<Sight> sights = readings.stream().map(Sight::of).toList();
    Comparison found = Comparison.of(doubt.relation(), sights);
    long now = System.nanoTime();
    switch (found) {
      case UNREADABLE -> {
        if (++doubt.unreadable >= ATTEMPTS) {
          LOG.atDebug().addKeyValue("instance", doubt.instance()).log("instance not readable");
          settle(doubt, Fate.UNREADABLE);
        } else {
          long wait = UNREADABLE_FIRST.toNanos() << (doubt.unreadable - 1);
          later(doubt, Math.min(wait, UNREADABLE_LONGEST.toNanos()), now);
        }
      }
      case WHOLE -> settle(doubt, Fate.WHOLE);
      case LEGACY -> settle(doubt, Fate.LEGACY);
      case GONE -> settle(doubt, Fate.GONE);
      case DIFFERS, MISSING, UNSTAMPED -> {
        boolean same = sights.equals(doubt.seen);
        doubt.seen = sights;
        if (same || ++doubt.looks >= LOOKS) {
          raise(new Suspect(doubt.relation(), doubt.instance(), found, readings), doubt, now);
        } else {
          later(doubt, min(doubt.relation().settle(), CHANGED).toNanos(), now);
        }
      }
    }
  }

  private static Duration min(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  private void later(Doubt doubt, long waitNanos, long nowNanos) {
    doubt.dueNanos = nowNanos + waitNanos;
    waiting.add(doubt);
  }

  private void raise(Suspect suspect, Doubt doubt, long nowNanos) {
    if (!tools.told().claim(nameOf(doubt), newsSince(doubt, nowNanos), nowNanos)) {
      settle(doubt, Fate.KNOWN);
      return;
    }
    doubt.publishing = tools.suspicions().raise(suspect);
    publishing.add(doubt);
  }

  /**
   * What looks as it did when it was told last tells the judge nothing new. Where some sides may
   * lawfully be absent, or carry other transactions, that holds for ever; else only for as long as
   * the judge remembers, and after a gap only for this sweep.
   */
  private long newsSince(Doubt doubt, long nowNanos) {
    if (!doubt.relation().writesAll()) {
      return nowNanos - Long.MAX_VALUE / 2;
    }
    return forGap ? beganNanos : nowNanos - doubt.relation().memory().toNanos();
  }

  private long nameOf(Doubt doubt) {
    return tools.told().hash(doubt.instance() + doubt.seen);
  }

  private void hearPublished(long nowNanos) {
    for (Iterator<Doubt> each = publishing.iterator(); each.hasNext(); ) {
      Doubt doubt = each.next();
      if (!doubt.publishing.isDone()) {
        continue;
      }
      each.remove();
      if (doubt.publishing.isCompletedExceptionally()) {
        tools.told().forget(nameOf(doubt));
        LOG.atWarn()
            .addKeyValue("instance", doubt.instance())
            .log("a suspicion could not be published, trying again");
        later(doubt, PUBLISH_AGAIN.toNanos(), nowNanos);
      } else {
        settle(doubt, Fate.PUBLISHED);
      }
    }
  }

  private void settle(Doubt doubt, Fate fate) {
    doubt.page.open--;
    tally.count(fate);
  }

  /** Forgets all doubts, so that another sweep has them again; says how many. */
  int abandon() {
    publishing.forEach(doubt -> tools.told().forget(nameOf(doubt)));
    return open();
  }
}
