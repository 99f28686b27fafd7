package dev.restitch.sweep;

import dev.restitch.avro.Sweep;
import dev.restitch.config.SweepConfig;
import dev.restitch.probe.PrimaryChecks;
import dev.restitch.store.StoreNode;
import dev.restitch.store.StorePipeline;
import dev.restitch.sweep.NodeSweep.Step;
import dev.restitch.watch.NodeShare;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The sweeps of one node, one after another: where the present one is, and what the last one found.
 * Belongs to one thread.
 */
final class NodeWork {

  private static final Logger LOG = LoggerFactory.getLogger(NodeWork.class);
  private static final Duration RETRY_FIRST = Duration.ofMillis(500);
  private static final Duration RETRY_LONGEST = Duration.ofSeconds(30);

  private final String store;
  private final StoreNode node;
  private final String owner;
  private final SweepTools tools;
  private final Tally all;
  private final SweepBook book;
  private final Clock clock;
  private final Strain strain;
  private final PrimaryChecks primaries = new PrimaryChecks();

  private NodeSweep sweep;
  private Tally tally;
  private Sweep resumed;
  private boolean forGap;
  private long through;
  private long startedAtMillis;
  private long keys;
  private OptionalInt slots = OptionalInt.empty();
  private int pageSize;
  private String trouble;
  private int failures;
  private long retryAtNanos = System.nanoTime();

  NodeWork(
      String store,
      StoreNode node,
      String owner,
      SweepTools tools,
      Tally all,
      SweepBook book,
      SweepConfig limits,
      Clock clock) {
    this.store = store;
    this.node = node;
    this.owner = owner;
    this.tools = tools;
    this.all = all;
    this.book = book;
    this.clock = clock;
    this.strain = new Strain(node, limits);
  }

  String name() {
    return NodeShare.name(store, node.id());
  }

  StoreNode node() {
    return node;
  }

  Strain strain() {
    return strain;
  }

  boolean underWay() {
    return sweep != null;
  }

  /** False while it waits after a failure. */
  boolean ready(long nowNanos) {
    return retryAtNanos - nowNanos <= 0;
  }

  long waitNanos(long nowNanos, long most) {
    return sweep == null ? most : sweep.waitNanos(nowNanos, most);
  }

  /** True if what is under way is not what this duty asks for. */
  boolean differsFrom(Duty duty) {
    return sweep == null || (duty.forGap() && !forGap);
  }

  /** Begins what a duty asks for, or goes on with what an earlier auditor has begun of it. */
  boolean begin(Duty duty, int keysAPage) throws InterruptedException {
    abandon();
    pageSize = keysAPage;
    try {
      String runId = runIdOfPrimary();
      Optional<Sweep> earlier =
          book.mark(name())
              .filter(mark -> runId.equals(mark.getRunId()) && mark.getCursor() != null)
              .filter(mark -> mark.getForGap() || !duty.forGap());
      strain.begin();
      keys = node.commands().dbsize().get();
      slots = node.slots();
      tally = new Tally(all);
      resumed = earlier.orElse(null);
      forGap = earlier.map(Sweep::getForGap).orElse(duty.forGap());
      through = earlier.map(Sweep::getRunThrough).orElse(duty.through());
      startedAtMillis =
          earlier.map(Sweep::getStartedAtMillis).map(Long::longValue).orElseGet(clock::millis);
      open(runId, earlier.map(Sweep::getCursor).orElse(NodeSweep.START));
      LOG.atLevel(forGap ? Level.INFO : Level.DEBUG)
          .addKeyValue("store", store)
          .addKeyValue("node", node.id())
          .addKeyValue("forGap", forGap)
          .addKeyValue("resumed", resumed != null)
          .addKeyValue("keys", keys)
          .log("sweep begins");
      return true;
    } catch (ExecutionException e) {
      failed(String.valueOf(e.getCause() == null ? e : e.getCause().getMessage()));
      return false;
    }
  }

  private void open(String runId, String cursor) {
    sweep = new NodeSweep(store, node, tools, tally, runId, cursor, pageSize, forGap);
  }

  /** The run id of the process that the sweep's pipeline reaches, if that is a primary. */
  private String runIdOfPrimary() throws InterruptedException, ExecutionException {
    Optional<String> primary = primaries.runIdOf(node).get();
    StorePipeline pipe = tools.pipes().to(node);
    Optional<String> reached = pipe.runId();
    if (primary.isEmpty() || !primary.equals(reached)) {
      throw new ExecutionException(
          new IllegalStateException(
              primary.isEmpty() ? "no primary answers" : "the node is not reached yet"));
    }
    return primary.get();
  }

  /** True if the last sweep was complete, and every instance could be read. */
  boolean complete() {
    return sweep == null && trouble == null;
  }

  /** Instances that the last complete sweep could not read. */
  long unreadable() {
    return sweep == null && tally != null ? tally.counters().of(Fate.UNREADABLE) : 0;
  }

  /** Keys of the last page. */
  int lastPage() {
    return sweep == null ? 0 : sweep.lastPage();
  }

  /** Takes one step of what is under way; says how it ended. */
  Step step() throws InterruptedException {
    Step step = sweep.step();
    switch (step) {
      case ON -> {
        failures = 0;
        trouble = null;
      }
      case WAIT -> {
        // goes on
      }
      case DONE -> finish();
      case BROKEN -> broken();
    }
    return step;
  }

  private void broken() {
    String why = sweep.trouble();
    String runId = sweep.runId();
    String cursor = sweep.cursor();
    book.mark(mark());
    abandon();
    failed(why);
    try {
      if (runId.equals(runIdOfPrimary())) {
        open(runId, cursor);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException another) {
      LOG.atDebug().addKeyValue("node", node.id()).log("the sweep begins anew");
    }
  }

  private void finish() throws InterruptedException {
    Optional<String> flaw = flaw();
    sweep = null;
    book.mark(
        Sweep.newBuilder(mark())
            .setRunId(null)
            .setCursor(null)
            .setForGap(false)
            .setStartedAtMillis(null)
            .build());
    if (flaw.isPresent()) {
      failed(flaw.get());
      return;
    }
    SweepCounters found = tally.counters();
    long unreadable = found.of(Fate.UNREADABLE);
    book.mark(
        Sweep.newBuilder(mark())
            .setSweptThrough(
                unreadable > 0 ? book.sweptThrough(name()) : Math.max(through, swept()))
            .setLastStartedAtMillis(startedAtMillis)
            .setLastEndedAtMillis(clock.millis())
            .setLastScanned(scanned())
            .setLastCompared(compared())
            .setLastFindings(findings())
            .setLastUnreadable(unreadable)
            .build());
    LOG.atLevel(forGap ? Level.INFO : Level.DEBUG)
        .addKeyValue("store", store)
        .addKeyValue("node", node.id())
        .addKeyValue("forGap", forGap)
        .addKeyValue("scanned", scanned())
        .addKeyValue("compared", compared())
        .addKeyValue("findings", findings())
        .addKeyValue("unreadable", unreadable)
        .log("sweep ended");
    resumed = null;
    if (unreadable > 0) {
      failed(unreadable + " instance(s) could not be read");
      retryAtNanos = System.nanoTime() + RETRY_LONGEST.toNanos();
    }
  }

  /** Why what was scanned to its end is no complete sweep of the node; empty: it is. */
  private Optional<String> flaw() throws InterruptedException {
    try {
      if (!sweep.runId().equals(runIdOfPrimary())) {
        return Optional.of("the server is another process than when the sweep began");
      }
    } catch (ExecutionException e) {
      return Optional.of(e.getCause().getMessage());
    }
    return slots.equals(node.slots())
        ? Optional.empty()
        : Optional.of("slots moved while it was swept");
  }

  private long swept() {
    return book.sweptThrough(name());
  }

  private void failed(String why) {
    trouble = why;
    long wait = RETRY_FIRST.toMillis() << Math.min(failures, 10);
    retryAtNanos =
        System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Math.min(wait, RETRY_LONGEST.toMillis()));
    failures++;
    LOG.atWarn()
        .addKeyValue("store", store)
        .addKeyValue("node", node.id())
        .addKeyValue("reason", why)
        .log("a node could not be swept, trying again");
  }

  /** Gives up what is under way, as far as it is not settled. */
  void abandon() {
    if (sweep != null) {
      sweep.abandon();
      sweep = null;
    }
  }

  private long scanned() {
    return tally.counters().scanned() + (resumed == null ? 0 : resumed.getScanned());
  }

  private long compared() {
    return tally.counters().compared() + (resumed == null ? 0 : resumed.getCompared());
  }

  private long findings() {
    return tally.counters().findings() + (resumed == null ? 0 : resumed.getFindings());
  }

  /** How the node's sweep stands, for the topic and the API. */
  Sweep mark() {
    Sweep.Builder mark =
        book.mark(name())
            .map(Sweep::newBuilder)
            .orElseGet(() -> Sweep.newBuilder().setStore(store).setNode(node.id()))
            .setOwner(owner)
            .setSweptThrough(swept())
            .setTrouble(trouble)
            .setPaused(sweep == null ? null : strain.paused().orElse(null));
    if (sweep == null) {
      return mark.build(); // where a sweep could go on, if one was begun, stays told
    }
    return mark.setRunId(sweep.runId())
        .setCursor(sweep.cursor())
        .setForGap(forGap)
        .setStartedAtMillis(startedAtMillis)
        .setRunThrough(through)
        .setScanned(scanned())
        .setCompared(compared())
        .setFindings(findings())
        .setKeys(keys)
        .build();
  }
}
