package dev.restitch.topology;

import dev.restitch.avro.Control;
import dev.restitch.avro.Gap;
import dev.restitch.config.RelationConfig;
import dev.restitch.config.Relations;
import dev.restitch.control.ControlBook;
import dev.restitch.control.ControlRecords;
import dev.restitch.control.Directive;
import dev.restitch.control.Setting;
import dev.restitch.judge.Decision;
import dev.restitch.judge.Evidence;
import dev.restitch.judge.InstanceState;
import dev.restitch.judge.Judge;
import dev.restitch.judge.StateCodec;
import dev.restitch.key.InstanceName;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thin shell around the judge: records in, state from the store, decisions out. Deadlines are
 * kept in memory, rebuilt from the states after a restart, and driven by {@link JudgeClock}, so
 * that they fire on idle partitions too. No I/O but the store's.
 */
final class JudgeProcessor implements Processor<String, SpecificRecord, String, SpecificRecord> {

  static final String STATES = "judge-states";
  static final String GAPS = "judge-gaps";
  static final String CONSISTENCY = "judge-consistency";
  static final String CONTROLS = "judge-controls";

  private static final Logger log = LoggerFactory.getLogger(JudgeProcessor.class);
  private static final Duration TICK = Duration.ofMillis(25);
  private static final int TIMERS_A_TICK = 2_000;
  private static final int GAP_INSTANCES_A_TICK = 500;
  private static final int TOLD_A_TICK = 500;
  private static final int TICKS_A_TALLY = 8;

  private final Relations relations;
  private final int partitions;
  private final String controlTopic;
  private final JudgeCounters counters;
  private final Boards boards;
  private final LongSupplier wallClock;
  private final Map<String, Judge> judges = new HashMap<>();
  private final Deadlines deadlines = new Deadlines();
  private final JudgeClock clock = new JudgeClock();
  private final ControlBook book = new ControlBook();
  private final BrakeWindow brake;

  /** Instances with an open incident. */
  private final NavigableSet<String> open = new TreeSet<>();

  private ProcessorContext<String, SpecificRecord> context;
  private InstanceTable states;
  private GapWork gaps;
  private ConsistencyTally tally;
  private ControlWork controls;
  private int ticks;

  /** Where the tasks of an auditor show what they have found. */
  record Boards(ConsistencyBoard consistency, BrakeBoard brake) {}

  /**
   * @param wallClock epoch milliseconds; not Kafka Streams' own, which it reads once a round and
   *     which may therefore be behind the records
   */
  JudgeProcessor(
      Relations relations,
      int partitions,
      String controlTopic,
      JudgeCounters counters,
      Boards boards,
      LongSupplier wallClock) {
    this.relations = relations;
    this.partitions = partitions;
    this.controlTopic = controlTopic;
    this.counters = counters;
    this.boards = boards;
    this.brake = new BrakeWindow(relations);
    this.wallClock = wallClock;
    for (RelationConfig r : relations.all()) {
      judges.put(r.name(), new Judge(r, true, book));
    }
  }

  @Override
  public void init(ProcessorContext<String, SpecificRecord> context) {
    this.context = context;
    this.states = context.getStateStore(STATES);
    this.gaps = new GapWork(context.getStateStore(GAPS), states);
    this.tally =
        new ConsistencyTally(
            context.getStateStore(CONSISTENCY), boards.consistency(), context.taskId().toString());
    this.controls = new ControlWork(context.getStateStore(CONTROLS), book);
    states.beforeCommit(tally::store);
    restoreTimers();
    context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, streamsTime -> tick());
  }

  private void restoreTimers() {
    states.forEach(
        row -> {
          String instance = states.instance(row);
          InstanceState state = decode(instance, row);
          if (state != null) {
            deadlines.set(row, state.wakeAt());
            noteOpen(instance, state);
          }
        });
    log.atInfo()
        .addKeyValue("task", context.taskId())
        .addKeyValue("instances", states.size())
        .log("judge states restored");
  }

  @Override
  public void process(Record<String, SpecificRecord> record) {
    counters.read();
    clock.record(record.timestamp(), wallClock.getAsLong());
    if (record.value() instanceof Gap gap) {
      gaps.add(gap, record.timestamp());
      counters.judged();
      return;
    }
    if (isControl(record)) {
      control(record);
      counters.judged();
      return;
    }
    String instance = record.key();
    byte[] key = instance == null ? null : InstanceTable.key(instance);
    int hash = requireOwn(key);
    if (relations.ofInstance(instance).isEmpty()) {
      counters.undeclared();
      return;
    }
    RecordMetadata where = context.recordMetadata().orElseThrow();
    Evidence evidence =
        EvidenceReader.read(record.value(), record.timestamp(), where.partition(), where.offset());
    judge(instance, key, hash, evidence);
    counters.judged();
  }

  private boolean isControl(Record<String, SpecificRecord> record) {
    return record.value() instanceof Control
        || context.recordMetadata().map(RecordMetadata::topic).orElse("").equals(controlTopic);
  }

  private void control(Record<String, SpecificRecord> record) {
    if (record.value() == null) {
      controls.remove(record.key());
      return;
    }
    Directive directive = ControlRecords.read((Control) record.value());
    controls.add(directive, record.timestamp());
    if (directive.setting() == Setting.BRAKE && !directive.on()) {
      brake.reset(directive.scope().name());
    }
  }

  @Override
  public void close() {
    if (tally != null) {
      tally.close();
      boards.brake().remove(context.taskId().toString());
    }
  }

  /** Returns the key's hash. */
  private int requireOwn(byte[] key) {
    if (key == null) {
      counters.misplaced();
      throw new MisplacedRecordException(
          "a record of the judge's topics needs its instance as key");
    }
    int hash = InstanceTable.hash(key);
    int expected = Utils.toPositive(hash) % partitions;
    if (expected != context.taskId().partition()) {
      counters.misplaced();
      throw new MisplacedRecordException(
          "the record's key belongs to partition "
              + expected
              + "; its producer must use the murmur2 partitioner");
    }
    return hash;
  }

  private void tick() {
    long now = clock.tick(wallClock.getAsLong());
    if (now < 0) {
      return;
    }
    gaps.run(
        GAP_INSTANCES_A_TICK,
        (gap, instance) -> {
          if (relations.ofInstance(instance).isPresent()) {
            judge(
                instance,
                new Evidence.GapSeen(gap.at(), gap.store(), gap.from(), gap.to(), gap.why()));
          }
        });
    controls.run(
        TOLD_A_TICK,
        open,
        (instance, word) -> judge(instance, new Evidence.ControlSeen(word.at(), word.directive())));
    if (++ticks % TICKS_A_TALLY == 0) {
      boards.brake().show(context.taskId().toString(), brake.shares(now));
      tally.show();
    }
    deadlines.due(now, TIMERS_A_TICK, row -> timePassed(row, now));
  }

  private void timePassed(int row, long now) {
    if (states.remembers(row)) {
      judge(states.instance(row), new Evidence.TimePassed(now));
    }
  }

  private void judge(String instance, Evidence evidence) {
    byte[] key = InstanceTable.key(instance);
    judge(instance, key, InstanceTable.hash(key), evidence);
  }

  private void judge(String instance, byte[] key, int hash, Evidence evidence) {
    Judge judge = judges.get(InstanceName.relation(instance));
    int row = states.find(key, hash);
    boolean known = row >= 0 && states.remembers(row);
    InstanceState state = known ? decode(instance, row) : null;
    if (state == null) {
      state = judge.fresh(instance);
    }
    List<Decision> decisions = judge.judge(state, evidence);
    for (Decision decision : decisions) {
      carryOut(instance, decision);
    }
    if (!state.forgotten()) {
      deadlines.set(states.put(key, hash, StateCodec.encode(state)), state.wakeAt());
      noteOpen(instance, state);
    } else if (known) {
      states.forget(row);
      deadlines.set(row, -1);
      open.remove(instance);
    }
  }

  private void noteOpen(String instance, InstanceState state) {
    if (state.hasIncident()) {
      open.add(instance);
    } else if (!open.isEmpty()) {
      open.remove(instance);
    }
  }

  /** Null where the bytes cannot be read any more, because the relation was changed. */
  private InstanceState decode(String instance, int row) {
    RelationConfig relation = relations.ofInstance(instance).orElse(null);
    if (relation == null) {
      return null;
    }
    try {
      return StateCodec.decode(relation, instance, states.array(row), states.stateAt(row));
    } catch (IllegalStateException e) {
      counters.stateLost();
      log.atWarn()
          .addKeyValue("instance", instance)
          .addKeyValue("error", e.getMessage())
          .log("state of an instance cannot be read, and is begun anew");
      return null;
    }
  }

  private void carryOut(String instance, Decision decision) {
    String relation = InstanceName.relation(instance);
    counters.decided(relation, decision);
    tally.count(relation, decision);
    long now = Math.max(0, clock.now());
    brake.note(instance, decision, now);
    if (decision instanceof Decision.Ask ask) {
      forward(instance, DecisionWriter.probe(ask), now, JudgeTopology.PROBES);
    } else if (decision instanceof Decision.IncidentChanged changed) {
      forward(
          instance + "#" + changed.incident().id,
          DecisionWriter.incident(instance, changed.incident()),
          now,
          JudgeTopology.INCIDENTS);
    } else if (decision instanceof Decision.Repair repair) {
      forward(instance, DecisionWriter.repair(repair), now, JudgeTopology.REPAIRS);
    }
  }

  private void forward(String key, SpecificRecord value, long now, String sink) {
    context.forward(new Record<>(key, value, now), sink);
  }
}
