package dev.restitch.sandbox.simulation;

import dev.restitch.config.RelationConfig;
import dev.restitch.judge.Decision;
import dev.restitch.judge.Evidence;
import dev.restitch.judge.Incident;
import dev.restitch.judge.InstanceState;
import dev.restitch.judge.Judge;
import dev.restitch.judge.StateCodec;
import dev.restitch.topology.JudgeRecords;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;

/**
 * One instance's partition of the judge's topics, and the real judge, which reads each topic in
 * order and all of them in any, and takes each step exactly once.
 */
final class Judging {

  /** The judge's topics. */
  enum Feed {
    INTENTS,
    OBSERVATIONS,
    SNAPSHOTS,
    OUTCOMES,
    GAPS
  }

  private record Entry(SpecificRecord value, long at) {}

  /** Longer than any deadline of an incident; what is due later is only forgetting. */
  private static final long FAR = 600_000;

  private static final long TICK = 25;

  final String instance;
  final int partition;
  final Actor actor;
  private final Scheduler scheduler;
  private final RelationConfig relation;
  private final Judge judge;
  private final Consumer<Decision> decisions;
  private final Map<Feed, List<Entry>> logs = new EnumMap<>(Feed.class);
  private final int[] read = new int[Feed.values().length];
  private JudgeRecords.Time time = new JudgeRecords.Time();
  private byte[] state;
  private long armedFor = -1;
  private long lastAppend;
  private Incident open;

  Judging(
      Scheduler scheduler,
      RelationConfig relation,
      String instance,
      int partition,
      Consumer<Decision> decisions) {
    this.scheduler = scheduler;
    this.relation = relation;
    this.judge = new Judge(relation, true);
    this.instance = instance;
    this.partition = partition;
    this.decisions = decisions;
    this.actor = new Actor("judge/" + instance);
    for (Feed feed : Feed.values()) {
      logs.put(feed, new ArrayList<>());
    }
  }

  /** The offset. */
  long append(Feed feed, SpecificRecord record) {
    // of one millisecond the judge cannot tell the order, and takes the higher stamp for the later
    if (lastAppend == scheduler.now()) {
      scheduler.pass(1);
    }
    lastAppend = scheduler.now();
    List<Entry> log = logs.get(feed);
    log.add(new Entry(record, scheduler.now()));
    scheduler.soon(actor, () -> deliver(feed));
    return log.size() - 1L;
  }

  SpecificRecord at(Feed feed, long offset) {
    return logs.get(feed).get((int) offset).value();
  }

  /** Null: no incident is open. */
  Incident open() {
    return open;
  }

  /** It stands still for a while, and begins again with nothing but its state. */
  void restart(long until) {
    actor.pausedUntil = until;
    time = new JudgeRecords.Time();
    armedFor = -1;
    arm(wakeAt());
  }

  private void deliver(Feed feed) {
    int offset = read[feed.ordinal()]++;
    Entry entry = logs.get(feed).get(offset);
    time.record(entry.at(), scheduler.now());
    step(JudgeRecords.evidence(entry.value(), entry.at(), partition, offset));
  }

  private void step(Evidence evidence) {
    scheduler.tell(actor, () -> "hears " + Words.of(evidence));
    InstanceState s =
        state == null ? judge.fresh(instance) : StateCodec.decode(relation, instance, state);
    List<Decision> made = judge.judge(s, evidence);
    state = s.forgotten() ? null : StateCodec.encode(s);
    open = s.openIncident();
    arm(s.wakeAt());
    made.forEach(decisions);
  }

  private long wakeAt() {
    return state == null ? -1 : StateCodec.decode(relation, instance, state).wakeAt();
  }

  private void arm(long wakeAt) {
    if (wakeAt < 0 || wakeAt > scheduler.now() + FAR) {
      armedFor = -1;
    } else if (armedFor != wakeAt) {
      armedFor = wakeAt;
      scheduler.at(wakeAt, actor, () -> tick(wakeAt));
    }
  }

  private void tick(long meant) {
    if (armedFor != meant) {
      return;
    }
    long now = time.tick(scheduler.now());
    if (now < meant) {
      scheduler.at(scheduler.now() + TICK, actor, () -> tick(meant));
      return;
    }
    armedFor = -1;
    step(new Evidence.TimePassed(now));
  }
}
