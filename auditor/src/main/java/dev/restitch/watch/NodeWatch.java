package dev.restitch.watch;

import dev.restitch.avro.Coverage;
import dev.restitch.avro.Gap;
import dev.restitch.config.SideConfig;
import dev.restitch.read.LastStep;
import dev.restitch.store.StoreNode;
import dev.restitch.topic.Topics;
import dev.restitch.watch.GapKeeper.Interval;
import io.lettuce.core.RedisCommandTimeoutException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches one primary: its subscription, what became of its notifications, up to when it is
 * covered, and its gaps. {@link #tick} is called once a second.
 */
final class NodeWatch implements Subscription.Listener {

  private static final Logger LOG = LoggerFactory.getLogger(NodeWatch.class);

  private static final String DISCONNECTED = "disconnected";

  private final String store;
  private final StoreNode node;
  private final Surroundings around;
  private final KeyspaceChannels channels;
  private final ChangeReads reads;
  private final GapKeeper gaps;
  private final CoverageMarks marks;
  private final Subscription subscription;
  private final Vigilance vigilance;
  private final AtomicBoolean telling = new AtomicBoolean();
  private final AtomicBoolean marking = new AtomicBoolean();
  private final AtomicBoolean covering = new AtomicBoolean();
  private final Rate events = new Rate();
  private final Rate readings = new Rate();
  private CompletableFuture<Optional<Coverage>> before;
  private volatile boolean vigilant;
  private volatile boolean retired;
  private volatile String trouble;
  private volatile String role;
  private volatile Long subscribedSinceMillis;
  private long failedSaid;

  NodeWatch(String store, StoreNode node, List<SideConfig> sides, Surroundings around, String why) {
    this.store = store;
    this.node = node;
    this.around = around;
    this.channels = new KeyspaceChannels(node.database());
    this.gaps = new GapKeeper(why, around.clock().millis());
    this.reads = new ChangeReads(store, node, around, this::missed);
    this.marks = new CoverageMarks(reads.queue());
    this.subscription =
        new Subscription(
            node, channels.patterns(sides.stream().map(SideConfig::key).toList()), this);
    this.vigilance =
        new Vigilance(
            store,
            node,
            NotificationFlags.needed(
                sides.stream().map(SideConfig::type).collect(Collectors.toSet())));
  }

  StoreNode node() {
    return node;
  }

  WatchedNode status() {
    return WatchedNode.of(coverage());
  }

  private boolean subscribed() {
    return vigilant && subscription.acknowledged();
  }

  private WatcherCounters counters() {
    return reads
        .queue()
        .counters()
        .plus(new WatcherCounters(0, 0, 0, 0, 0, 0, gaps.opened(), gaps.published()));
  }

  private void missed(String why) {
    gaps.open(why, around.clock().millis());
  }

  /** Mends, checks, marks and tells; never blocks. */
  void tick() {
    subscription.tend();
    resume();
    check();
    long now = around.clock().millis();
    events.at(now, reads.queue().counters().received());
    readings.at(now, reads.reads());
    long settled = marks.settledThrough();
    if (settled >= 0) {
      gaps.covered(settled);
    }
    tellGap();
    tellCoverage();
    sayFailed();
  }

  /** Finds out what an earlier watch covered, from where the first gap goes. */
  private synchronized void resume() {
    if (gaps.known()) {
      return;
    }
    if (before == null) {
      before = around.share().lastMark(recordKey());
      LastStep.of(before, (mark, failure) -> around.soon(this::resume));
    } else if (before.isCompletedExceptionally()) {
      before = null; // asked again with the next tick
    } else if (before.isDone()) {
      Optional<Coverage> mark = before.join();
      boolean others = mark.isPresent() && !mark.get().getOwner().equals(around.owner());
      gaps.resume(
          mark.map(Coverage::getCoveredThroughMillis).orElse(0L), others ? "takeover" : null);
      tellGap();
    }
  }

  @Override
  public void acknowledged() {
    subscribedSinceMillis = around.clock().millis();
    around.soon(this::tick);
  }

  @Override
  public void lost() {
    vigilant = false;
    subscribedSinceMillis = null;
    marks.forget();
    missed("reconnect");
    LOG.atWarn()
        .addKeyValue("store", store)
        .addKeyValue("node", node.id())
        .log("subscription lost; what changes until it is back is looked at again then");
  }

  @Override
  public void notified(byte[] channel, byte[] event) {
    reads.changed(channels.key(channel), event);
  }

  /** Asks whether events are told, then whether all that were have come. */
  private void check() {
    if (!subscription.acknowledged() || !marking.compareAndSet(false, true)) {
      return;
    }
    Long since = subscribedSinceMillis;
    long asked = around.clock().millis();
    LastStep.of(
        vigilance
            .check()
            .thenCompose(
                found -> {
                  found(found, since);
                  return found.trouble() == null
                      ? subscription.ping()
                      : CompletableFuture.<Void>completedFuture(null);
                }),
        (pong, failure) -> {
          marking.set(false);
          if (failure == null && vigilant) {
            marks.receivedThrough(asked);
          } else if (failure != null && timedOut(failure)) {
            subscription.renew();
          }
        });
  }

  private void found(Vigilance.Finding found, Long since) {
    role = found.role();
    trouble = found.trouble();
    if (trouble != null) {
      vigilant = false;
      missed(trouble);
    } else if (since != null && since.equals(subscribedSinceMillis)) {
      vigilant = true;
      tellGap();
    }
  }

  private static boolean timedOut(Throwable failure) {
    Throwable at = failure;
    while (at.getCause() != null && !(at instanceof RedisCommandTimeoutException)) {
      at = at.getCause();
    }
    return at instanceof RedisCommandTimeoutException;
  }

  private void tellGap() {
    if (subscribed() && !reads.queue().crowded()) {
      gaps.due(around.clock().millis()).ifPresent(this::tell);
    }
  }

  private void tell(Interval interval) {
    if (!telling.compareAndSet(false, true)) {
      return;
    }
    Gap gap =
        Gap.newBuilder()
            .setId(UUID.randomUUID().toString())
            .setStore(store)
            .setNode(node.id())
            .setFromMillis(interval.fromMillis())
            .setToMillis(interval.toMillis())
            .setWhy(interval.why())
            .build();
    LastStep.of(
        around.outbox().sendToEveryPartition(Topics.GAPS.name(around.topics()), recordKey(), gap),
        (done, failure) -> {
          telling.set(false);
          if (failure == null) {
            gaps.told(interval);
          } else {
            LOG.atWarn()
                .addKeyValue("node", node.id())
                .addKeyValue("reason", Subscription.reason(failure))
                .log("a gap could not be published, trying again");
          }
        });
  }

  private void tellCoverage() {
    // a mark before that would hide what an earlier watch covered
    if (!gaps.known() || !covering.compareAndSet(false, true)) {
      return;
    }
    LastStep.of(
        around.outbox().send(Topics.COVERAGE.name(around.topics()), recordKey(), coverage()),
        (done, failure) -> {
          covering.set(false);
          if (failure != null) {
            LOG.atWarn()
                .addKeyValue("node", node.id())
                .addKeyValue("reason", Subscription.reason(failure))
                .log("a coverage mark could not be published, trying again");
          }
        });
  }

  private Coverage coverage() {
    WatcherCounters counted = counters();
    return Coverage.newBuilder()
        .setStore(store)
        .setNode(node.id())
        .setSubscribed(subscribed())
        .setSubscribedSinceMillis(subscribedSinceMillis)
        .setCoveredThroughMillis(gaps.coveredThroughMillis())
        .setOwner(around.owner())
        .setReceived(counted.received())
        .setPublished(counted.published())
        .setCoalesced(counted.coalesced())
        .setFiltered(counted.filtered())
        .setDeadLettered(counted.failed())
        .setPending(counted.pending())
        .setGapsOpened(counted.gapsOpened())
        .setGapsPublished(counted.gapsPublished())
        .setGapOpenSinceMillis(boxed(gaps.openSinceMillis()))
        .setTrouble(trouble != null || subscription.acknowledged() ? trouble : DISCONNECTED)
        .setRole(role)
        .setSlots(node.slots().isPresent() ? node.slots().getAsInt() : null)
        .setEventsPerSecond(events.perSecond())
        .setReadsPerSecond(readings.perSecond())
        .build();
  }

  private static Long boxed(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }

  private String recordKey() {
    return NodeShare.name(store, node.id());
  }

  private void sayFailed() {
    long failed = reads.queue().counters().failed();
    if (failed > failedSaid) {
      LOG.atWarn()
          .addKeyValue("node", node.id())
          .addKeyValue("notifications", failed - failedSaid)
          .log("notifications came to nothing; a gap stands for them");
      failedSaid = failed;
    }
  }

  /** True if nothing that was received, and no gap, is still to be told. */
  boolean settled() {
    return counters().pending() == 0 && !telling.get() && !(retired && gaps.isOpen());
  }

  /** Stops watching; readings under way end by themselves. */
  void close() {
    subscription.close();
    vigilant = false;
  }

  /** Stops watching a node that serves no keys any more, which may have hidden its last writes. */
  void retire() {
    close();
    retired = true;
    missed("topology");
    linger();
  }

  /** Called now and then after the watch has ended: tells what is still to be told. */
  void linger() {
    if (retired) {
      resume();
      gaps.due(around.clock().millis()).ifPresent(this::tell);
    }
  }

  /** Lets the node's last connection go; call it when all is settled, or time is up. */
  void release() {
    reads.close();
  }

  /** Tells how far this watch came, for whoever goes on from there. */
  void tellLast() {
    long settled = marks.settledThrough();
    if (settled >= 0) {
      gaps.covered(settled);
    }
    tellCoverage();
  }
}
