package dev.restitch.sandbox.simulation;

import dev.restitch.avro.Done;
import dev.restitch.avro.Intent;
import dev.restitch.avro.Marker;
import dev.restitch.avro.ResultKind;
import dev.restitch.avro.Write;
import dev.restitch.avro.WriteOp;
import dev.restitch.avro.WriteResult;
import dev.restitch.config.RelationConfig;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import dev.restitch.writer.Digests;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One transaction of an application, step by step, as far as it comes. */
final class Client extends Actor {

  /** When it tells of what it means to write. */
  enum Intents {
    BEFORE,
    BESIDE,
    NONE
  }

  final String instance;
  final List<StoreKey> keys;
  final boolean deletes;
  final Intents intents;
  final boolean fenced;

  /** Keys that it has changed. */
  final Set<StoreKey> wrote = new LinkedHashSet<>();

  /** Something that it did was recorded, or a repair's value made the fence refuse it. */
  boolean noticed;

  /** Something older was written, without a fence, where it had deleted. */
  boolean overrun;

  boolean started;

  boolean finished;

  /** Its intent was recorded. */
  boolean told;

  Stamp stamp;

  private final World world;
  private final RelationConfig relation;
  private final Map<StoreKey, ResultKind> results = new LinkedHashMap<>();
  private final List<Runnable> steps = new ArrayList<>();
  private final int crashAt;
  private int firstWrite;
  private ResultKind markerWritten;
  private boolean aborted;
  private boolean mintedAfterFailover;

  Client(World world, String name, RelationConfig relation, String instance, double deletes) {
    super(name);
    Scheduler chance = world.scheduler;
    this.world = world;
    this.relation = relation;
    this.instance = instance;
    this.keys = keys(relation.keysOf(instance));
    // of two deletes that are told of the judge cannot say which one an absence shows
    this.deletes = chance.chance(deletes) && world.clients.stream().noneMatch(c -> c.deletes);
    // where a transaction may write some sides only, nothing but its intent says which
    this.intents = Intents.values()[chance.random.nextInt(relation.writesAll() ? 3 : 2)];
    this.fenced = chance.chance(0.6);
    plan();
    this.crashAt = chance.chance(0.65) ? chance.random.nextInt(steps.size() + 1) : steps.size();
  }

  private List<StoreKey> keys(List<StoreKey> all) {
    if (relation.writesAll()) {
      return all;
    }
    List<StoreKey> some = new ArrayList<>(all);
    int most = world.scheduler.from(1, all.size());
    while (some.size() > most) {
      some.remove(world.scheduler.random.nextInt(some.size()));
    }
    return some;
  }

  private void plan() {
    steps.add(this::mint);
    if (world.hasTruth(relation)) {
      steps.add(this::commit);
    }
    if (intents == Intents.BEFORE) {
      steps.add(this::tellIntent);
    }
    firstWrite = steps.size();
    List<StoreKey> order = new ArrayList<>(keys);
    while (!order.isEmpty()) {
      StoreKey key = order.remove(world.scheduler.random.nextInt(order.size()));
      steps.add(() -> write(key));
    }
    if (relation.marker() != null && !deletes) {
      steps.add(this::mark);
    }
    if (intents != Intents.NONE && world.scheduler.chance(0.5)) {
      steps.add(this::tellDone);
    }
  }

  void start(long at) {
    if (started) {
      return;
    }
    started = true;
    world.scheduler.at(at, this, () -> step(0));
  }

  private void step(int at) {
    world.active();
    if (at == crashAt || at == steps.size() || aborted) {
      finished = true;
      boolean early = at < steps.size();
      world.scheduler.tell(this, () -> early ? "dies" : "is done");
      return;
    }
    steps.get(at).run();
    // what comes later than a settle time after its mint is a version that went back (MODEL.md, 2)
    boolean quick = at + 1 < firstWrite || world.scheduler.chance(0.7);
    if (quick) {
      world.scheduler.soonWithin(80, this, () -> step(at + 1));
    } else {
      world.scheduler.at(
          world.scheduler.now() + world.scheduler.from(0, 450), this, () -> step(at + 1));
    }
  }

  private void mint() {
    long version =
        relation
            .counterOf(instance)
            .map(counter -> world.stores.get(counter.store()).next(counter, 0))
            .orElseGet(() -> world.scheduler.now() + world.scheduler.from(-15, 15));
    stamp = new Stamp(version, Bytes.utf8(name));
    mintedAfterFailover = world.failedOver;
    world.scheduler.tell(
        this,
        () ->
            "mints "
                + stamp
                + (deletes ? " to delete" : "")
                + (fenced ? ", fenced" : "")
                + ", intents "
                + intents);
    if (intents == Intents.BESIDE) {
      world.scheduler.soonWithin(150, world.network, this::tellIntent);
    }
  }

  private void commit() {
    List<Optional<Bytes>> row =
        keys.stream()
            .map(key -> deletes ? Optional.<Bytes>empty() : Optional.of(payload(key)))
            .toList();
    boolean done =
        world.truth.commit(
            instance, new TruthTable.Row(stamp.version(), name, row), mintedAfterFailover);
    aborted = !done;
    world.scheduler.tell(this, () -> done ? "commits to the truth" : "is too old to commit");
  }

  Bytes payload(StoreKey key) {
    return payload(relation, name, key);
  }

  static Bytes payload(RelationConfig relation, String name, StoreKey key) {
    boolean shared = relation.sides().get(0).payload() != null;
    return Bytes.utf8(shared ? name : name + " on " + key);
  }

  private void mark() {
    if (wrote.size() < keys.size()) {
      return; // the fence has refused it somewhere
    }
    StoreKey marker = relation.markerOf(instance, stamp.token()).orElseThrow();
    world.scheduler.tell(this, () -> "marks " + marker);
    world.stores.get(marker.store()).mark(marker, new Author.Owner(name));
    markerWritten = ResultKind.OK;
  }

  private void tellIntent() {
    told = true;
    List<Write> writes = new ArrayList<>();
    for (StoreKey key : keys) {
      Write.Builder write =
          Write.newBuilder()
              .setStore(key.store())
              .setKey(key.key().toBuffer())
              .setOp(deletes ? WriteOp.DELETE : WriteOp.PUT);
      if (!deletes) {
        write
            .setPayload(payload(key).toBuffer())
            .setDigest(Digests.sha256(payload(key).toArray()).toBuffer());
      }
      writes.add(write.build());
    }
    world.append(
        instance,
        Intent.newBuilder()
            .setToken(stamp.token().toBuffer())
            .setVersion(stamp.version())
            .setWrites(writes)
            .setMarker(
                relation
                    .markerOf(instance, stamp.token())
                    .filter(key -> !deletes)
                    .map(key -> new Marker(key.store(), key.key().toBuffer(), 3_600_000L))
                    .orElse(null))
            .setCreatedAtMillis(world.scheduler.now())
            .build(),
        name);
  }

  private void write(StoreKey key) {
    Store store = world.stores.get(key.store());
    Value before = store.get(key);
    boolean refused =
        fenced
            && before != null
            && before.stamp() != null
            && before.stamp().version() >= stamp.version();
    results.put(key, ResultKind.OK);
    if (refused) {
      noticed |= before.by() instanceof Author.Mender;
      world.scheduler.tell(this, () -> "writes not " + key + ", which has " + before);
      return;
    }
    world.scheduler.tell(this, () -> (deletes ? "deletes " : "writes ") + key);
    wrote.add(key);
    Author me = new Author.Owner(name);
    if (before == null && !deletes) {
      world.clients.stream().filter(c -> c.deletedLater(key, stamp)).forEach(c -> c.overrun = true);
    }
    if (deletes) {
      store.remove(key, me);
    } else {
      store.put(key, new Value(stamp, payload(key), -1, me));
    }
  }

  /** True if it has taken effect, and this key is its. */
  boolean effectiveOn(StoreKey key) {
    return !wrote.isEmpty() && keys.contains(key);
  }

  /** True if a stamp is certainly newer than this transaction's. */
  boolean newer(Stamp other) {
    return relation.version().newer(other, stamp);
  }

  private boolean deletedLater(StoreKey key, Stamp than) {
    return deletes && wrote.contains(key) && stamp.version() > than.version();
  }

  private void tellDone() {
    noticed |= !wrote.isEmpty();
    world.append(
        instance,
        Done.newBuilder()
            .setToken(stamp.token().toBuffer())
            .setVersion(stamp.version())
            .setMarker(markerWritten)
            .setResults(
                results.entrySet().stream()
                    .map(
                        r ->
                            WriteResult.newBuilder()
                                .setStore(r.getKey().store())
                                .setKey(r.getKey().key().toBuffer())
                                .setResult(r.getValue())
                                .build())
                    .toList())
            .build(),
        name);
  }
}
