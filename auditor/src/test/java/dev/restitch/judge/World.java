package dev.restitch.judge;

import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RelationConfig;
import dev.restitch.config.Relations;
import dev.restitch.judge.Evidence.DoneSeen;
import dev.restitch.judge.Evidence.IntentSeen;
import dev.restitch.judge.Evidence.Observed;
import dev.restitch.judge.Evidence.Op;
import dev.restitch.judge.Evidence.PlannedWrite;
import dev.restitch.judge.Evidence.Result;
import dev.restitch.judge.Evidence.SnapshotSeen;
import dev.restitch.judge.Evidence.TimePassed;
import dev.restitch.judge.Reading.State;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A simulated world around the real judge: stores, writers, a watcher, a prober, faults, all from
 * one seed. Observations show what a key carries when it is read, not when it was written, as a
 * real watcher's do; probes read the stores twice.
 */
final class World {

  /** How evidence reaches the judge. */
  record Delivery(boolean duplicate, boolean shuffle, boolean restart) {
    static final Delivery PLAIN = new Delivery(false, false, false);
  }

  /** One logical write of the world. */
  record Logical(Stamp stamp, Map<StoreKey, PlannedWrite> writes, StoreKey marker) {}

  /** What a key carries: null in the map is absent. */
  record Value(Stamp stamp) {}

  private record Event(long at, int order, Runnable action) {}

  private record Delivered(long at, String instance, Evidence evidence) {}

  static final Relations RELATIONS = relations();

  /** Evidence within this time is reordered; less than any settle time. */
  private static final long SHUFFLED_MILLIS = 300;

  static final long END = 150_000;

  final Random random;
  final RelationConfig relation;
  final List<String> instances = new ArrayList<>();
  final List<Logical> logical = new ArrayList<>();
  final Map<StoreKey, Value> stores = new TreeMap<>();
  final Set<StoreKey> markers = new LinkedHashSet<>();

  /** Transactions that any evidence showed to be effective, by instance. */
  final Map<String, Set<Stamp>> shown = new LinkedHashMap<>();

  /** Keys that some evidence showed to carry a stamp. */
  final Set<StoreKey> seenStamped = new LinkedHashSet<>();

  final Map<String, List<Incident>> incidents = new LinkedHashMap<>();
  final Map<String, InstanceState> states = new LinkedHashMap<>();
  final List<String> log = new ArrayList<>();

  private final long seed;
  private final Random faults;
  private final Delivery delivery;
  private final Judge judge;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingInt(Event::order));
  private final List<Delivered> waiting = new ArrayList<>();
  private int order;
  private long now;
  private long version = 100;
  private int tokens;

  World(long seed, Delivery delivery) {
    this.seed = seed;
    this.random = new Random(seed);
    this.faults = new Random(seed + 1);
    this.delivery = delivery;
    List<RelationConfig> all = List.copyOf(RELATIONS.all());
    this.relation = all.get(random.nextInt(all.size()));
    this.judge = new Judge(relation, false);
    int count = relation.name().equals("acct") ? 2 + random.nextInt(2) : 1;
    for (int i = 0; i < count; i++) {
      instances.add(relation.name() + "/" + (i + 1));
      shown.put(instances.get(i), new LinkedHashSet<>());
      incidents.put(instances.get(i), new ArrayList<>());
    }
  }

  private static Relations relations() {
    try {
      return ConfigLoader.parse(
              Files.readString(Path.of("src/test/resources/cases/relations.yaml")), Map.of())
          .resolver();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<StoreKey> keys() {
    List<StoreKey> keys = new ArrayList<>();
    instances.forEach(i -> keys.addAll(relation.keysOf(i)));
    return keys;
  }

  String instanceOf(StoreKey key) {
    return RELATIONS.resolve(key.store(), key.key()).orElseThrow().instance();
  }

  /** Runs writers, then quiet until every timer has had its chance. */
  void run() {
    plan();
    while (!events.isEmpty()) {
      long next = events.peek().at();
      long wake = earliestWake();
      if (wake >= 0 && wake < next) {
        deliver();
        wake = earliestWake();
        if (wake >= 0 && wake < next) {
          fire(wake);
        }
        continue;
      }
      if (!waiting.isEmpty() && next - waiting.get(0).at() > SHUFFLED_MILLIS) {
        deliver();
        continue;
      }
      Event event = events.poll();
      now = event.at();
      event.action().run();
      if (!delivery.shuffle()) {
        deliver();
      }
    }
    deliver();
  }

  private long earliestWake() {
    long earliest = -1;
    for (InstanceState s : states.values()) {
      if (s.wakeAt() >= 0 && (earliest < 0 || s.wakeAt() < earliest)) {
        earliest = s.wakeAt();
      }
    }
    return earliest;
  }

  private void fire(long wake) {
    now = Math.max(now, wake);
    for (String instance : List.copyOf(states.keySet())) {
      InstanceState s = states.get(instance);
      if (s.wakeAt() >= 0 && s.wakeAt() <= wake) {
        step(instance, new TimePassed(wake));
      }
    }
  }

  private void at(long time, Runnable action) {
    events.add(new Event(Math.max(time, now), order++, action));
  }

  // ---- writers

  private void plan() {
    int writes = 1 + random.nextInt(5);
    long start = 1_000;
    for (int i = 0; i < writes; i++) {
      start += random.nextInt(10) < 4 ? random.nextInt(600) : 2_500 + random.nextInt(9_000);
      planOne(start);
    }
    at(END, () -> log.add(END + " end"));
  }

  private void planOne(long start) {
    Logical t = mint();
    logical.add(t);
    boolean intent = relation.writesAll() ? random.nextInt(4) > 0 : true;
    long intentAt = start + (random.nextInt(8) == 0 ? random.nextInt(1_500) : 0);
    if (intent) {
      at(intentAt, () -> send(t));
    }
    int fault = random.nextInt(10);
    int index = 0;
    int stopAfter = fault == 0 ? random.nextInt(t.writes().size() + 1) : Integer.MAX_VALUE;
    Map<StoreKey, Result> results = new LinkedHashMap<>();
    long last = intentAt;
    for (StoreKey key : shuffled(t.writes().keySet())) {
      boolean landed = index++ < stopAfter;
      long when = start + 10 + random.nextInt(400);
      if (fault == 1 && index == 1) {
        when += 3_000 + random.nextInt(40_000);
      }
      results.put(key, landed ? Result.OK : Result.UNKNOWN);
      if (landed) {
        long time = when;
        at(time, () -> write(t, key));
        last = Math.max(last, time);
      }
    }
    if (t.marker() != null && stopAfter == Integer.MAX_VALUE && random.nextInt(8) > 0) {
      at(last + 20, () -> markers.add(t.marker()));
    }
    if (random.nextInt(3) == 0 && fault > 1) {
      at(last + 50, () -> done(t, results));
    }
  }

  private List<StoreKey> shuffled(Set<StoreKey> keys) {
    List<StoreKey> list = new ArrayList<>(keys);
    Collections.shuffle(list, random);
    return list;
  }

  private Logical mint() {
    Bytes token = Bytes.utf8("t" + (++tokens));
    boolean timestamps = relation.name().equals("price");
    version += timestamps ? 100 + random.nextInt(2_000) : 1;
    Stamp stamp = new Stamp(relation.stamp().hasVersion() ? version : null, token);
    Map<StoreKey, PlannedWrite> writes = new LinkedHashMap<>();
    List<StoreKey> keys = keys();
    for (StoreKey key : keys) {
      if (relation.writesAll() || keys.size() == 1 || random.nextInt(3) > 0) {
        boolean delete = !relation.writesAll() && random.nextInt(10) == 0;
        writes.put(key, new PlannedWrite(delete ? Op.DELETE : Op.PUT, null, null));
      }
    }
    if (writes.isEmpty()) {
      writes.put(keys.get(0), new PlannedWrite(Op.PUT, null, null));
    }
    StoreKey marker = relation.markerOf(instances.get(0), token).orElse(null);
    return new Logical(stamp, writes, marker);
  }

  private void write(Logical t, StoreKey key) {
    boolean delete = t.writes().get(key).op() == Op.DELETE;
    Value before = delete ? stores.remove(key) : stores.put(key, new Value(t.stamp()));
    log.add(now + (delete ? " del " : " set ") + key + " " + t.stamp());
    if (delete && before == null) {
      return;
    }
    String event = delete ? "del" : "set";
    at(now + random.nextInt(120), () -> observe(key, event));
    if (random.nextInt(10) == 0) {
      at(now + random.nextInt(400), () -> observe(key, event));
    }
  }

  // ---- evidence

  private void send(Logical t) {
    Set<String> touched = new LinkedHashSet<>();
    t.writes().keySet().forEach(k -> touched.add(instanceOf(k)));
    for (String instance : touched) {
      tell(
          instance,
          new IntentSeen(
              now,
              t.stamp(),
              t.writes(),
              t.marker(),
              t.marker() == null ? null : 3_600_000L,
              null,
              -1,
              -1));
    }
  }

  private void done(Logical t, Map<StoreKey, Result> results) {
    Set<String> touched = new LinkedHashSet<>();
    t.writes().keySet().forEach(k -> touched.add(instanceOf(k)));
    for (String instance : touched) {
      Result marker =
          t.marker() == null ? null : markers.contains(t.marker()) ? Result.OK : Result.UNKNOWN;
      tell(instance, new DoneSeen(now, t.stamp(), results, marker));
      if (results.containsValue(Result.OK)) {
        shown.get(instance).add(t.stamp());
      }
    }
  }

  private void observe(StoreKey key, String event) {
    Reading r = read(key);
    String told = r.state() == State.ABSENT ? "del" : event;
    tell(instanceOf(key), new Observed(now, r, told, false));
    if (r.stamp() != null) {
      shown.get(instanceOf(key)).add(r.stamp());
      seenStamped.add(key);
    }
  }

  private Reading read(StoreKey key) {
    if (relation.marker() != null && relation.marker().key().match(key.key()).isPresent()) {
      return Reading.of(key, markers.contains(key) ? State.PRESENT : State.ABSENT);
    }
    Value v = stores.get(key);
    return v == null ? Reading.of(key, State.ABSENT) : Reading.stamped(key, v.stamp());
  }

  private void tell(String instance, Evidence evidence) {
    if (evidence instanceof SnapshotSeen) {
      deliver(); // an answer may end a wait, so it is a timer of its own
    }
    waiting.add(new Delivered(now, instance, evidence));
    if (evidence instanceof SnapshotSeen) {
      deliver();
    }
    if (delivery.duplicate() && faults.nextInt(2) == 0) {
      waiting.add(new Delivered(now, instance, evidence));
    }
  }

  private void deliver() {
    List<Delivered> batch = new ArrayList<>(waiting);
    waiting.clear();
    if (delivery.shuffle()) {
      Collections.shuffle(batch, faults);
    }
    for (Delivered d : batch) {
      step(d.instance(), d.evidence());
    }
  }

  // ---- judge and prober

  private void step(String instance, Evidence evidence) {
    InstanceState s = states.computeIfAbsent(instance, judge::fresh);
    if (delivery.restart()) {
      s = StateCodec.decode(relation, instance, StateCodec.encode(s));
      states.put(instance, s);
    }
    log.add(now + "   > " + instance + " " + brief(evidence));
    List<Decision> decisions = judge.judge(s, evidence);
    for (Decision d : decisions) {
      log.add(now + "   < " + brief(d));
      if (d instanceof Decision.Ask ask) {
        answer(ask);
      } else if (d instanceof Decision.IncidentChanged changed) {
        incidents.get(instance).removeIf(i -> i.id.equals(changed.incident().id));
        incidents.get(instance).add(changed.incident());
      }
    }
    if (s.forgotten()) {
      states.remove(instance);
    }
  }

  private static String brief(Object o) {
    if (o instanceof Decision.IncidentChanged c) {
      Incident i = c.incident();
      return "INCIDENT " + i.phase + " " + i.verdict + " " + i.stamp + " " + i.behind;
    }
    return o.toString()
        .replaceAll("(tokens|expiresAtMillis|primary|length|digest|observedAtMillis)=null(, )?", "")
        .replaceAll("(PlannedWrite|Reading|key=|state=|stamp=|east/|west/)", "");
  }

  private void answer(Decision.Ask ask) {
    Random prober = new Random(seed * 31 + ask.askedAt());
    long readAt = ask.askedAt() + 5 + prober.nextInt(60);
    long toldAt = readAt + 5 + prober.nextInt(120);
    List<Reading> first = new ArrayList<>();
    events.add(
        new Event(
            Math.max(now, readAt),
            order++,
            () -> {
              ask.keys().forEach(k -> first.add(read(k)));
              ask.markers().forEach(k -> first.add(read(k)));
            }));
    events.add(
        new Event(
            Math.max(now, readAt) + 3,
            order++,
            () -> {
              boolean stable = first.stream().allMatch(r -> r.agreesWith(read(r.key())));
              at(toldAt + 3, () -> tellSnapshot(ask, stable, first));
            }));
  }

  private void tellSnapshot(Decision.Ask ask, boolean stable, List<Reading> readings) {
    tell(ask.instance(), new SnapshotSeen(now, ask.seq(), ask.askedAt(), stable, readings, false));
    for (Reading r : readings) {
      if (r.stamp() != null) {
        shown.get(ask.instance()).add(r.stamp());
        seenStamped.add(r.key());
      }
    }
  }
}
