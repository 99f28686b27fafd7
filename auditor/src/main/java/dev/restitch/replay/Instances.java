package dev.restitch.replay;

import dev.restitch.config.RelationConfig;
import dev.restitch.config.Relations;
import dev.restitch.judge.InstanceState;
import dev.restitch.judge.Judge;
import dev.restitch.judge.StateCodec;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * The instances that a replay remembers, and when each wants to be woken. Those touched lately are
 * kept as objects, the others in the compact form of {@link StateCodec}: most of a history's
 * instances are quiet, waiting for their memory to end. Not thread-safe.
 */
final class Instances {

  private static final int KEPT_AS_OBJECTS = 4_000;

  /** An instance whose time has come, and the time. */
  record Due(Live live, long at) {}

  /** One instance. */
  static final class Live {

    private final String instance;
    private final RelationConfig relation;
    private final Judge judge;
    private InstanceState state;
    private byte[] compact;
    private long wakeAt = -1;

    /** Time of its entry among the timers; negative: it has none. */
    private long timerAt = -1;

    private boolean touched;

    private Live(String instance, RelationConfig relation, Judge judge) {
      this.instance = instance;
      this.relation = relation;
      this.judge = judge;
    }

    String instance() {
      return instance;
    }

    Judge judge() {
      return judge;
    }

    InstanceState state() {
      return state;
    }
  }

  private record Timer(long at, Live live) {}

  private final Relations relations;
  private final Map<String, Judge> judges;
  private final Map<String, Live> live = new HashMap<>();
  private final Deque<Live> objects = new ArrayDeque<>();
  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(
          Comparator.comparingLong(Timer::at).thenComparing(t -> t.live().instance()));

  /**
   * @param judges by relation
   */
  Instances(Relations relations, Map<String, Judge> judges) {
    this.relations = relations;
    this.judges = judges;
  }

  /** An instance with its state as an object; a fresh one if it is not remembered. */
  Live live(String instance) {
    Live found = live.get(instance);
    if (found == null) {
      RelationConfig relation = relations.ofInstance(instance).orElseThrow();
      found = new Live(instance, relation, judges.get(relation.name()));
      live.put(instance, found);
    }
    return awake(found);
  }

  /** The state of an instance that is remembered. */
  Optional<InstanceState> known(String instance) {
    return Optional.ofNullable(live.get(instance)).map(l -> awake(l).state);
  }

  /** All remembered instances, in order. */
  List<String> names() {
    return live.keySet().stream().sorted().toList();
  }

  private Live awake(Live l) {
    if (l.state == null) {
      l.state =
          l.compact == null
              ? l.judge.fresh(l.instance)
              : StateCodec.decode(l.relation, l.instance, l.compact);
      l.compact = null;
      objects.add(l);
    }
    l.touched = true;
    return l;
  }

  /**
   * Makes bytes of instances that nobody touched for long; to be called between steps, as it takes
   * the state of any instance. What was touched since the last look stays an object once more.
   */
  void compact() {
    while (objects.size() > KEPT_AS_OBJECTS) {
      Live oldest = objects.poll();
      if (oldest.touched) {
        oldest.touched = false;
        objects.add(oldest);
      } else if (oldest.state != null) {
        oldest.compact = StateCodec.encode(oldest.state);
        oldest.state = null;
      }
    }
  }

  /** To be called after each step of the judge: keeps the timer in step, or forgets. */
  void judged(Live l) {
    if (l.state.forgotten()) {
      live.remove(l.instance, l);
      l.wakeAt = -1;
      return;
    }
    l.wakeAt = l.state.wakeAt();
    boolean sooner = l.timerAt < 0 || l.wakeAt < l.timerAt;
    if (l.wakeAt >= 0 && sooner) {
      l.timerAt = l.wakeAt;
      timers.add(new Timer(l.wakeAt, l));
    }
  }

  /** The next instance due until then, earliest first, by name at equal times; null: none is. */
  Due nextDue(long until) {
    while (!timers.isEmpty() && timers.peek().at() <= until) {
      Timer timer = timers.poll();
      Live l = timer.live();
      if (timer.at() != l.timerAt) {
        continue; // an earlier one was set after it
      }
      l.timerAt = -1;
      if (l.wakeAt == timer.at()) {
        return new Due(awake(l), timer.at());
      }
      if (l.wakeAt >= 0) { // it was put off since
        l.timerAt = l.wakeAt;
        timers.add(new Timer(l.wakeAt, l));
      }
    }
    return null;
  }
}
