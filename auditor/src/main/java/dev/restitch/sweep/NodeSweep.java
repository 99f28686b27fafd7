package dev.restitch.sweep;

import dev.restitch.config.RelationConfig;
import dev.restitch.config.Relations.Side;
import dev.restitch.model.Bytes;
import dev.restitch.store.StoreNode;
import dev.restitch.store.StorePipeline;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;

/**
 * One sweep of one node, from a cursor to the end, a page a step. The next page is asked for while
 * the sides of this one are read. A cursor means something to one server process only, so the sweep
 * breaks when another answers. Belongs to one thread.
 */
final class NodeSweep {

  /** Where {@code SCAN} begins and ends. */
  static final String START = "0";

  /** How a step ended. */
  enum Step {
    /** A page was compared. */
    ON,
    /** Only doubts are left, or too many: nothing to do for {@link #waitNanos}. */
    WAIT,
    /** Every key is compared, and every suspicion is told. */
    DONE,
    /** The server did not answer, or is another one now. */
    BROKEN
  }

  private record Claim(List<Side> sides, List<Glance> glances) {}

  private final String store;
  private final StoreNode node;
  private final SweepTools tools;
  private final Tally tally;
  private final Doubts doubts;
  private final String runId;
  private final ScanArgs size;
  private final long beganNanos = System.nanoTime();
  private final Deque<Page> pages = new ArrayDeque<>();
  private RedisFuture<KeyScanCursor<byte[]>> scan;
  private String cursor;
  private String settled;
  private boolean scannedAll;
  private int lastPage;
  private String trouble;

  /**
   * A sweep that has not begun.
   *
   * @param runId of the process that the cursor belongs to
   * @param cursor where to begin
   * @param pageSize keys a page, about
   * @param forGap true: it looks for what a gap may have hidden
   */
  NodeSweep(
      String store,
      StoreNode node,
      SweepTools tools,
      Tally tally,
      String runId,
      String cursor,
      int pageSize,
      boolean forGap) {
    this.store = store;
    this.node = node;
    this.tools = tools;
    this.tally = tally;
    this.runId = runId;
    this.cursor = cursor;
    this.settled = cursor;
    this.size = ScanArgs.Builder.limit(pageSize);
    this.doubts = new Doubts(tools, tally, forGap, beganNanos);
  }

  String runId() {
    return runId;
  }

  /** Where another sweep would have to begin: everything before it is compared and told. */
  String cursor() {
    return settled;
  }

  /** Why the sweep broke. */
  String trouble() {
    return trouble;
  }

  /** Keys of the last page that was scanned. */
  int lastPage() {
    return lastPage;
  }

  /** How long until there is something to do; at most the given time. */
  long waitNanos(long nowNanos, long most) {
    return doubts.waitNanos(nowNanos, most);
  }

  /** Compares one page, if there is room for its doubts, and looks again at what is due. */
  Step step() throws InterruptedException {
    doubts.work(System.nanoTime());
    settlePages();
    if (scannedAll) {
      return doubts.open() == 0 ? Step.DONE : Step.WAIT;
    }
    if (doubts.open() >= Doubts.MOST) {
      return Step.WAIT;
    }
    StorePipeline pipe = tools.pipes().to(node);
    if (scan == null) {
      ask(pipe);
      pipe.flush();
    }
    KeyScanCursor<byte[]> answer;
    try {
      answer = scan.get();
    } catch (ExecutionException | CancellationException e) {
      return broken(String.valueOf(e.getCause() == null ? e : e.getCause().getMessage()));
    }
    if (!pipe.runId().equals(Optional.of(runId))) {
      return broken("the server is another process than when the sweep began");
    }
    cursor = answer.getCursor();
    scannedAll = answer.isFinished();
    if (!scannedAll) {
      ask(pipe);
    }
    Page page = new Page(cursor);
    pages.add(page);
    compare(answer.getKeys(), page);
    settlePages();
    return Step.ON;
  }

  private void ask(StorePipeline pipe) {
    scan = pipe.commands().scan(ScanCursor.of(cursor), size);
  }

  private Step broken(String why) {
    trouble = why;
    return Step.BROKEN;
  }

  private void compare(List<byte[]> keys, Page page) throws InterruptedException {
    lastPage = keys.size();
    tally.scanned(lastPage);
    List<Claim> claims = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      Claim claim = claim(Bytes.copyOf(key));
      if (claim != null) {
        claims.add(claim);
      }
    }
    tools.pipes().flush();
    for (Claim claim : claims) {
      weigh(claim, page);
    }
  }

  /** Asks for the sides of a key's instance; null if they need not be compared. */
  private Claim claim(Bytes key) throws InterruptedException {
    Optional<Side> found = tools.relations().resolve(store, key).filter(tools.wanted());
    if (found.isEmpty()) {
      tally.count(Fate.UNDECLARED);
      return null;
    }
    Side scanned = found.get();
    RelationConfig relation = scanned.relation();
    if (relation.sides().size() == 1) {
      tally.count(Fate.SINGLE);
      return null;
    }
    long name = tools.compared().hash(scanned.instance());
    if (!tools.compared().claim(name, beganNanos, System.nanoTime())) {
      tally.count(Fate.REPEATED);
      return null;
    }
    List<Side> sides = new ArrayList<>(relation.sides().size());
    List<Glance> glances = new ArrayList<>(relation.sides().size());
    for (int i = 0; i < relation.sides().size(); i++) {
      Side side =
          i == scanned.index()
              ? scanned
              : new Side(relation, i, scanned.instance(), relation.keyOf(scanned.instance(), i));
      sides.add(side);
      glances.add(Glance.at(side, tools.reader(), tools.pipes()));
    }
    return new Claim(sides, glances);
  }

  private void weigh(Claim claim, Page page) throws InterruptedException {
    List<Sight> sights = new ArrayList<>(claim.glances().size());
    for (Glance glance : claim.glances()) {
      sights.add(glance.sight());
    }
    Comparison first = Comparison.of(claim.sides().get(0).relation(), sights);
    switch (first) {
      case WHOLE -> tally.count(Fate.WHOLE);
      case LEGACY -> tally.count(Fate.LEGACY);
      case GONE -> tally.count(Fate.GONE);
      case DIFFERS, MISSING, UNSTAMPED, UNREADABLE ->
          doubts.add(new Doubt(claim.sides(), sights, page), first, System.nanoTime());
    }
  }

  private void settlePages() {
    while (!pages.isEmpty() && pages.peek().open == 0) {
      settled = pages.remove().next;
    }
  }

  /** Gives up what is not settled; a later sweep begins at {@link #cursor}, before it. */
  void abandon() {
    tally.count(Fate.ABANDONED, doubts.abandon());
  }
}
