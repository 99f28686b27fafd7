package dev.restitch.judge;

import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RelationConfig;
import dev.restitch.config.Relations;
import dev.restitch.judge.Evidence.DoneSeen;
import dev.restitch.judge.Evidence.GapSeen;
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
import dev.restitch.model.Verdict;
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
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;

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

  private record Event(long at, int order, Runnable action) {}

  private record Delivered(long at, String instance, Evidence evidence) {}

  static final Relations RELATIONS = relations();

  /** Evidence within this time is reordered; less than any settle time. */
  private static final long SHUFFLED_MILLIS = 300;

  /** Everything that goes wrong has gone wrong by then. */
  static final long QUIET = 130_000;

  static final long END = 300_000;

  private static final long TTL_MILLIS = 20_000;

  final Random random;
  final RelationConfig relation;
  final List<String> instances = new ArrayList<>();
  final List<Logical> logical = new ArrayList<>();
  final Stores stores = new Stores();
  final Faults faultsHere;

  /** Marker keys, with the end of their life. */
  final Map<StoreKey, Long> markers = new LinkedHashMap<>();

  /** Markers that some evidence told of. */
  final Set<StoreKey> markersTold = new LinkedHashSet<>();

  /** What some evidence showed on a key, by stamp: the primary that it was first seen on. */
  final Map<Told, Map<Stamp, String>> seenOn = new LinkedHashMap<>();

  /** One key, as the judge of one instance was told of it. */
  record Told(String instance, StoreKey key) {}

  /** When the value last seen on a key ends, as told; for ever if not contained. */
  private final Map<StoreKey, Long> endTold = new LinkedHashMap<>();

  private final Map<StoreKey, Long> absentTold = new LinkedHashMap<>();

  private final Map<Told, Long> lastRead = new LinkedHashMap<>();

  /** When evidence first showed a stamp on a key. */
  final Map<StoreKey, Map<Stamp, Long>> firstSeenAt = new LinkedHashMap<>();

  /** First evidence of a transaction, by instance. */
  final Map<String, Map<Stamp, Long>> firstTold = new LinkedHashMap<>();

  /** Transactions whose intent reached an instance. */
  final Map<String, Set<Stamp>> intended = new LinkedHashMap<>();

  /** The last event that told of a key's going, and when. */
  final Map<StoreKey, String> lossTold = new LinkedHashMap<>();

  final Map<StoreKey, Long> lossToldAt = new LinkedHashMap<>();

  /** The payload's digest as last told. */
  final Map<StoreKey, Stores.Value> digestTold = new LinkedHashMap<>();

  /** Transactions that any evidence showed to be effective, by instance. */
  final Map<String, Map<Stamp, Long>> shown = new LinkedHashMap<>();

  /** Keys that some evidence showed to carry a stamp. */
  final Set<StoreKey> seenStamped = new LinkedHashSet<>();

  final Map<String, List<Incident>> incidents = new LinkedHashMap<>();
  final Map<String, InstanceState> states = new LinkedHashMap<>();
  final List<String> log = new ArrayList<>();

  private final long seed;
  private final boolean healthy;
  private final Random faults;
  private final Delivery delivery;
  private final Judge judge;
  private final Map<String, Long> deafUntil = new LinkedHashMap<>();
  private final Map<Long, Long> readTimes = new LinkedHashMap<>();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingInt(Event::order));
  private final List<Delivered> waiting = new ArrayList<>();
  private int order;
  private long now;
  private long version = 100;
  private int tokens;

  World(long seed, Delivery delivery) {
    this(seed, delivery, false);
  }

  /**
   * @param healthy true: nothing is torn, only evidence is untidy
   */
  World(long seed, Delivery delivery, boolean healthy) {
    this.seed = seed;
    this.healthy = healthy;
    this.random = new Random(seed);
    this.faults = new Random(seed + 1);
    this.delivery = delivery;
    List<RelationConfig> all = List.copyOf(RELATIONS.all());
    this.relation = all.get(random.nextInt(all.size()));
    this.judge = new Judge(relation, false);
    this.faultsHere = Faults.of(random, healthy);
    boolean spans = Set.of("acct", "cart").contains(relation.name());
    int count = spans ? 2 + random.nextInt(3) : 1;
    for (int i = 0; i < count; i++) {
      instances.add(relation.name() + "/" + (i + 1));
      shown.put(instances.get(i), new LinkedHashMap<>());
      incidents.put(instances.get(i), new ArrayList<>());
      firstTold.put(instances.get(i), new LinkedHashMap<>());
      intended.put(instances.get(i), new LinkedHashSet<>());
    }
  }

  private static Relations relations() {
    try {
      return ConfigLoader.parse(
              Files.readString(Path.of("src/test/resources/worlds.yaml")), Map.of())
          .resolver();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The seed that it was made of. */
  long number() {
    return seed;
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
    runOn();
  }

  /** Lets so much more time pass, in which nobody writes. */
  void waitFor(long millis) {
    at(now + millis, () -> log.add(now + " waited"));
    runOn();
  }

  private void runOn() {
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
        step(instance, new TimePassed(now));
      }
    }
  }

  private void at(long time, Runnable action) {
    events.add(new Event(Math.max(time, now), order++, action));
  }

  // ---- writers

  private void plan() {
    int writes = 1 + random.nextInt(6);
    long start = 1_000;
    for (int i = 0; i < writes; i++) {
      start += random.nextInt(10) < 4 ? random.nextInt(600) : 2_500 + random.nextInt(9_000);
      planOne(start);
    }
    planFaults(start + 20_000);
    at(END, () -> log.add(END + " end"));
  }

  private void planFaults(long until) {
    if (faultsHere.gap()) {
      String store = anyStore();
      long from = random.nextInt((int) until);
      long to = from + 500 + random.nextInt(8_000);
      at(from, () -> deafUntil.put(store, to));
      at(to, () -> tellGap(store, from, to));
    }
    if (faultsHere.failover()) {
      String store = anyStore();
      at(2_000 + random.nextInt((int) until), () -> failOver(store));
    }
    if (faultsHere.silence()) {
      long from = random.nextInt((int) until);
      long lasts = random.nextInt(3) == 0 ? 70_000 : 500 + random.nextInt(15_000);
      stores.silence(anyStore(), from, Math.min(from + lasts, QUIET));
    }
    for (int i = faultsHere.staleSweep() ? random.nextInt(4) : -1; i >= 0; i--) {
      at(random.nextInt((int) until), this::sweep);
    }
    for (int i = faultsHere.reader() ? random.nextInt(3) : -1; i >= 0; i--) {
      StoreKey key = anyKey();
      at(random.nextInt((int) until), () -> observe(key, null, true));
    }
    for (int i = faultsHere.outsider() ? random.nextInt(2) : -1; i >= 0; i--) {
      StoreKey key = anyKey();
      int kind = random.nextInt(4);
      at(1_500 + random.nextInt((int) until), () -> meddle(key, kind));
    }
  }

  private String anyStore() {
    return random.nextBoolean() ? "east" : "west";
  }

  private StoreKey anyKey() {
    List<StoreKey> keys = keys();
    return keys.get(random.nextInt(keys.size()));
  }

  private void planOne(long start) {
    Logical t = mint();
    logical.add(t);
    boolean required = !relation.writesAll() || healthy && relation.intentsRequired();
    boolean intent = required || random.nextInt(4) > 0;
    long intentAt = start + (random.nextInt(8) == 0 ? random.nextInt(1_500) : 0);
    if (intent) {
      at(intentAt, () -> send(t));
    }
    boolean crash = faultsHere.crash() && random.nextInt(3) == 0;
    boolean late = faultsHere.lateWrite() && random.nextInt(3) == 0;
    int index = 0;
    int stopAfter = crash ? random.nextInt(t.writes().size() + 1) : Integer.MAX_VALUE;
    Map<StoreKey, Result> results = new LinkedHashMap<>();
    long last = intentAt;
    for (StoreKey key : shuffled(t.writes().keySet())) {
      boolean landed = index++ < stopAfter;
      long when = healthy ? inOrder(key, start) : start + 10 + random.nextInt(400);
      if (late && index == 1) {
        when += 3_000 + random.nextInt(40_000);
      }
      results.put(key, landed ? Result.OK : Result.UNKNOWN);
      if (landed) {
        long time = when;
        at(time, () -> write(t, key));
        last = Math.max(last, time);
        if (faultsHere.retry() && random.nextInt(3) == 0) {
          at(time + 100 + random.nextInt(6_000), () -> again(t, key));
        }
      }
    }
    boolean marked = t.marker() != null && !crash;
    if (marked && !(faultsHere.markerLost() && random.nextInt(3) == 0)) {
      long ttl = 40_000;
      at(last + 20, () -> markers.put(t.marker(), now + ttl));
    }
    if (random.nextInt(3) == 0 && !crash && !late) {
      at(last + 50, () -> done(t, results));
    }
  }

  private final Map<StoreKey, Long> lastPlanned = new LinkedHashMap<>();

  /** Writers that wait for each other on a key: the last write stays on all its sides. */
  private long inOrder(StoreKey key, long start) {
    long when = Math.max(start + 10 + random.nextInt(400), lastPlanned.getOrDefault(key, 0L) + 1);
    lastPlanned.put(key, when);
    return when;
  }

  private List<StoreKey> shuffled(Set<StoreKey> keys) {
    List<StoreKey> list = new ArrayList<>(keys);
    Collections.shuffle(list, random);
    return list;
  }

  private Logical mint() {
    Bytes token = relation.stamp().hasToken() ? Bytes.utf8("t" + (++tokens)) : Bytes.EMPTY;
    boolean timestamps = relation.name().equals("price");
    boolean collides =
        faultsHere.collision() && !timestamps && !token.isEmpty() && random.nextInt(4) == 0;
    version += timestamps ? (healthy ? 300 : 100) + random.nextInt(2_000) : collides ? 0 : 1;
    Stamp stamp = new Stamp(relation.stamp().hasVersion() ? version : null, token);
    Map<StoreKey, PlannedWrite> writes = new LinkedHashMap<>();
    List<StoreKey> keys = keys();
    Long ttl = faultsHere.ttl() && !relation.log() && random.nextInt(3) == 0 ? TTL_MILLIS : null;
    boolean digests = relation.name().equals("user");
    for (StoreKey key : keys) {
      if (relation.writesAll() || keys.size() == 1 || random.nextInt(3) > 0) {
        boolean delete = !relation.writesAll() && random.nextInt(10) == 0;
        Op op = delete ? Op.DELETE : relation.log() ? Op.APPEND : Op.PUT;
        Bytes digest = digests ? Bytes.utf8("d-" + stamp) : null;
        writes.put(key, new PlannedWrite(op, delete ? null : ttl, digest));
      }
    }
    if (writes.isEmpty()) {
      writes.put(keys.get(0), new PlannedWrite(Op.PUT, null, null));
    }
    StoreKey marker = relation.markerOf(instances.get(0), token).orElse(null);
    return new Logical(stamp, writes, marker);
  }

  private void write(Logical t, StoreKey key) {
    PlannedWrite planned = t.writes().get(key);
    if (planned.op() == Op.APPEND) {
      stores.append(key, t.stamp().token(), now);
      told(key, "rpush");
      log.add(now + " append " + key + " " + t.stamp());
      return;
    }
    boolean delete = planned.op() == Op.DELETE;
    boolean stood = stores.get(key, now) != null;
    if (delete) {
      stores.remove(key, now);
    } else {
      Bytes digest = planned.digest();
      if (digest != null && faultsHere.wrongPayload() && random.nextInt(6) == 0) {
        digest = Bytes.utf8("other");
      }
      Long expiresAt = planned.ttlMillis() == null ? null : now + planned.ttlMillis();
      stores.put(key, new Stores.Value(t.stamp(), null, expiresAt, digest), now);
      if (expiresAt != null) {
        at(expiresAt + random.nextInt(3_000), () -> expired(key, expiresAt));
      }
    }
    log.add(now + (delete ? " del " : " set ") + key + " " + t.stamp());
    if (!delete || stood) {
      told(key, delete ? "del" : "set");
    }
  }

  /** A retry writes the same again; a log is not appended to twice. */
  private void again(Logical t, StoreKey key) {
    if (t.writes().get(key).op() == Op.PUT) {
      write(t, key);
    }
  }

  private void expired(StoreKey key, long expiresAt) {
    Stores.Value last = stores.get(key, expiresAt - 1);
    boolean stillGone = stores.get(key, now) == null && stores.changedAt(key, now) < expiresAt;
    if (stillGone && last != null && Objects.equals(last.expiresAt(), expiresAt)) {
      stores.remove(key, now);
      log.add(now + " expired " + key);
      told(key, "expired");
    }
  }

  /** Somebody who knows nothing of stamps. */
  private void meddle(StoreKey key, int kind) {
    if (stores.get(key, now) == null) {
      return;
    }
    String event = kind == 0 ? "set" : kind == 1 ? "del" : kind == 2 ? "evicted" : "expired";
    if (kind == 0) {
      stores.put(key, Stores.Value.UNSTAMPED, now);
    } else {
      stores.remove(key, now);
    }
    log.add(now + " outsider " + event + " " + key);
    told(key, event);
  }

  private void failOver(String store) {
    long back = now - random.nextInt(1_500);
    List<StoreKey> changed = stores.failOver(store, back, now);
    log.add(now + " failover of " + store + " back to " + back + " " + changed);
    long from = now - 2_000;
    at(now + 200, () -> tellGap(store, from, now));
  }

  /** A change is notified, unless nobody listens just then; now and then twice. */
  private void told(StoreKey key, String event) {
    if (deafUntil.getOrDefault(key.store(), -1L) > now) {
      return;
    }
    at(now + random.nextInt(120), () -> observe(key, event, false));
    if (random.nextInt(10) == 0) {
      at(now + random.nextInt(400), () -> observe(key, event, false));
    }
  }

  // ---- evidence

  private void send(Logical t) {
    Set<String> touched = new LinkedHashSet<>();
    t.writes().keySet().forEach(k -> touched.add(instanceOf(k)));
    for (String instance : touched) {
      intended.get(instance).add(t.stamp());
      firstTold.get(instance).putIfAbsent(t.stamp(), now);
      Long ttl = t.marker() == null ? null : 40_000L;
      tell(instance, new IntentSeen(now, t.stamp(), t.writes(), t.marker(), ttl, null, -1, -1));
    }
  }

  private void done(Logical t, Map<StoreKey, Result> results) {
    Set<String> touched = new LinkedHashSet<>();
    t.writes().keySet().forEach(k -> touched.add(instanceOf(k)));
    for (String instance : touched) {
      boolean marked = t.marker() != null && markers.containsKey(t.marker());
      Result marker = t.marker() == null ? null : marked ? Result.OK : Result.UNKNOWN;
      tell(instance, new DoneSeen(now, t.stamp(), results, marker));
      if (marked) {
        markersTold.add(t.marker());
      }
      if (results.containsValue(Result.OK)) {
        shown.get(instance).putIfAbsent(t.stamp(), now);
        firstTold.get(instance).putIfAbsent(t.stamp(), now);
      }
    }
  }

  private void observe(StoreKey key, String event, boolean urgent) {
    if (!stores.readable(key.store(), now)) {
      at(now + 1_000, () -> observe(key, event, urgent)); // the watcher tries again
      return;
    }
    Reading r = read(key, now, random.nextBoolean());
    String instance = instanceOf(key);
    tell(instance, new Observed(now, r, event, urgent));
    if (r.state() == State.ABSENT && Set.of("del", "expired", "evicted").contains("" + event)) {
      boolean atOnce = Long.valueOf(now).equals(lossToldAt.get(key));
      if (!atOnce || precedence(event) > precedence(lossTold.get(key))) {
        lossTold.put(key, event);
        lossToldAt.put(key, now);
      }
    }
    boolean replaced = r.state() == State.UNSTAMPED || lossTold.containsKey(key);
    if (r.state() != State.STAMPED && replaced && relation.log()) {
      seenOn.keySet().removeIf(told -> told.key().equals(key)); // it is known how all that went
    }
    noteSeen(instance, r, now);
    stoodAgain(r);
  }

  /**
   * The event that took an absent key away, or the end that its value was told to have; or null.
   */
  String howGone(StoreKey key) {
    Long end = endTold.get(key);
    boolean ended = end != null && absentTold.containsKey(key) && end < absentTold.get(key);
    return lossTold.getOrDefault(key, ended ? "expired" : null);
  }

  /** What took the key away before it was seen there again explains no later absence. */
  private void stoodAgain(Reading r) {
    if (stores.get(r.key(), now) != null && r.state() != State.ABSENT) {
      lossTold.remove(r.key());
      lossToldAt.remove(r.key());
    }
  }

  /** Events of one moment: the verdict that comes first in the table counts. */
  private static int precedence(String event) {
    return List.of("del", "expired", "evicted").indexOf(event);
  }

  private void noteSeen(String instance, Reading r, long readAt) {
    Told told = new Told(instance, r.key());
    boolean latest = readAt >= lastRead.getOrDefault(told, -1L);
    lastRead.merge(told, readAt, Math::max);
    if (latest && r.state() == State.ABSENT) {
      absentTold.putIfAbsent(r.key(), readAt);
    } else if (latest) {
      absentTold.remove(r.key());
    }
    if (latest && relation.log() && r.state() != State.UNREADABLE) {
      noteTaken(told, r);
    }
    if (r.state() != State.STAMPED) {
      return;
    }
    seenStamped.add(r.key());
    for (Logical t : logical) {
      boolean carries =
          t.stamp().equals(r.stamp())
              || (r.tokens() != null && r.tokens().contains(t.stamp().token()));
      if (carries && t.writes().containsKey(r.key())) {
        shown.get(instance).putIfAbsent(t.stamp(), now);
        firstTold.get(instance).putIfAbsent(t.stamp(), now);
        firstSeenAt
            .computeIfAbsent(r.key(), k -> new LinkedHashMap<>())
            .putIfAbsent(t.stamp(), now);
        Map<Stamp, String> on = seenOn.computeIfAbsent(told, k -> new LinkedHashMap<>());
        if (latest || !on.containsKey(t.stamp())) {
          on.put(t.stamp(), r.primary());
        }
      }
    }
    if (latest && r.expiresAtMillis() == null) {
      endTold.remove(r.key());
    } else if (latest) {
      endTold.put(r.key(), r.expiresAtMillis());
    }
    if (latest && r.digest() == null) {
      digestTold.remove(r.key()); // the last reading does not tell
    } else if (latest) {
      digestTold.put(r.key(), new Stores.Value(r.stamp(), null, null, r.digest()));
    }
  }

  /** What a log's server holds no more, it lost itself, and not by a change of primary. */
  private void noteTaken(Told told, Reading r) {
    seenOn
        .computeIfAbsent(told, k -> new LinkedHashMap<>())
        .entrySet()
        .removeIf(
            seen ->
                seen.getValue().equals(r.primary())
                    && (r.tokens() == null || !r.tokens().contains(seen.getKey().token())));
  }

  private Reading read(StoreKey key, long at, boolean digest) {
    if (!stores.readable(key.store(), at)) {
      return Reading.of(key, State.UNREADABLE);
    }
    String primary = stores.primary(key.store());
    if (relation.marker() != null && relation.marker().key().match(key.key()).isPresent()) {
      Long end = markers.get(key);
      boolean present = end != null && end > at;
      return new Reading(
          key,
          present ? State.PRESENT : State.ABSENT,
          null,
          null,
          present ? end : null,
          primary,
          null,
          null,
          null);
    }
    Stores.Value v = stores.get(key, at);
    State state = v == null ? State.ABSENT : v.stamped() ? State.STAMPED : State.UNSTAMPED;
    return new Reading(
        key,
        state,
        v == null ? null : v.stamp(),
        v == null ? null : v.tokens(),
        v == null ? null : v.expiresAt(),
        primary,
        null,
        v == null || !digest ? null : v.digest(),
        null);
  }

  private void tellGap(String store, long from, long to) {
    log.add(now + " gap of " + store + " from " + from + " to " + to);
    for (String instance : List.copyOf(states.keySet())) {
      if (states.get(instance).remembers(store)) {
        tell(instance, new GapSeen(now, store, from, to, "test"));
        for (StoreKey key : relation.keysOf(instance)) {
          if (key.store().equals(store) && stores.readable(store, now)) {
            gapped.put(key, now);
          }
        }
      }
    }
  }

  /** Keys whose loss of notifications was told to their instance, and when. */
  final Map<StoreKey, Long> gapped = new LinkedHashMap<>();

  /** A snapshot that nobody asked for, and that comes late. */
  private void sweep() {
    for (String instance : instances) {
      List<Reading> readings = new ArrayList<>();
      relation.keysOf(instance).forEach(k -> readings.add(read(k, now, true)));
      if (readings.stream().anyMatch(r -> r.state() == State.UNREADABLE)) {
        continue;
      }
      at(
          now + random.nextInt(4_000),
          () -> {
            tell(instance, new SnapshotSeen(now, null, null, true, readings, false));
            readings.forEach(r -> noteSeen(instance, r, -1));
          });
    }
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
        if (incidents.get(instance).removeIf(i -> i.id.equals(changed.incident().id))) {
          changedAgain++;
        } else {
          suspectAlarm(instance, changed.incident(), evidence);
        }
        incidents.get(instance).add(changed.incident());
      }
    }
    if (s.forgotten()) {
      states.remove(instance);
    }
  }

  /** How often an incident was told of again. */
  int changedAgain;

  private void suspectAlarm(String instance, Incident incident, Evidence evidence) {
    if (!incident.verdict.aboutMarker() && evidence instanceof SnapshotSeen e) {
      long readAt = readTimes.getOrDefault(e.askedAt(), now);
      declaredAt.add(
          new Alarm(instance, incident.verdict, readAt, states.get(instance).untrustedUntil < now));
    }
  }

  /** A declaration, and when its snapshot was read. */
  record Alarm(String instance, Verdict verdict, long readAt, boolean trusted) {}

  final List<Alarm> declaredAt = new ArrayList<>();

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
    long readAt = Math.max(now, ask.askedAt() + 5 + prober.nextInt(60));
    long toldAt = readAt + 5 + prober.nextInt(120);
    readTimes.put(ask.askedAt(), readAt);
    List<StoreKey> wanted = new ArrayList<>(ask.keys());
    wanted.addAll(ask.markers());
    List<Reading> first = new ArrayList<>();
    List<String> primaries = new ArrayList<>();
    at(
        readAt,
        () -> {
          wanted.forEach(k -> first.add(read(k, now, true)));
          wanted.forEach(k -> primaries.add(stores.primary(k.store())));
        });
    at(
        readAt + 3,
        () -> {
          boolean same = true;
          for (int i = 0; i < wanted.size(); i++) {
            same &= first.get(i).agreesWith(read(wanted.get(i), now, true));
            same &= primaries.get(i).equals(stores.primary(wanted.get(i).store()));
          }
          boolean stable = same;
          at(toldAt + 3, () -> tellSnapshot(ask, stable, first));
        });
  }

  private void tellSnapshot(Decision.Ask ask, boolean stable, List<Reading> readings) {
    tell(ask.instance(), new SnapshotSeen(now, ask.seq(), ask.askedAt(), stable, readings, false));
    for (Reading r : readings) {
      noteSeen(ask.instance(), r, ask.askedAt());
      stoodAgain(r);
      if (r.state() == State.PRESENT) {
        markersTold.add(r.key());
        logical.stream()
            .filter(t -> r.key().equals(t.marker()))
            .filter(t -> firstTold.get(ask.instance()).containsKey(t.stamp()))
            .forEach(t -> shown.get(ask.instance()).putIfAbsent(t.stamp(), now));
      }
    }
  }
}
