package dev.restitch.sandbox.simulation;

import dev.restitch.config.Relations.Side;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import dev.restitch.worker.apply.Change;
import dev.restitch.worker.apply.Expectation;
import dev.restitch.worker.apply.Held;
import dev.restitch.worker.apply.Order;
import dev.restitch.worker.apply.Payload;
import dev.restitch.worker.apply.SideStore;
import dev.restitch.worker.apply.Standing;
import dev.restitch.writer.Expiry;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The sides as one command of one worker sees them; command by command as the real ones do it. */
final class ModelSides implements SideStore {

  private final Map<String, Store> stores;
  private final Map<String, Wire> wires;
  private final Author.Mender author;
  private final Set<Mutation> mutations;
  private final Scheduler scheduler;
  private final Runnable worked;

  ModelSides(
      Scheduler scheduler,
      Map<String, Store> stores,
      Map<String, Wire> wires,
      Author.Mender author,
      Set<Mutation> mutations,
      Runnable worked) {
    this.worked = worked;
    this.scheduler = scheduler;
    this.stores = stores;
    this.wires = wires;
    this.author = author;
    this.mutations = mutations;
  }

  private <T> CompletionStage<T> on(StoreKey key, String what, Function<Store, T> command) {
    Store store = stores.get(key.store());
    return wires
        .get(key.store())
        .call(
            () -> what + " " + key,
            () -> {
              worked.run();
              return command.apply(store);
            });
  }

  @Override
  public CompletionStage<Standing> read(Side side) {
    CompletionStage<Standing> head =
        on(side.key(), "GETRANGE", store -> standing(store.get(side.key())));
    CompletionStage<Boolean> exists =
        on(side.key(), "EXISTS", store -> store.get(side.key()) != null);
    return head.thenCombine(
        exists, (read, there) -> new Standing(there, there ? read.stamp() : Optional.empty()));
  }

  private static Standing standing(Value value) {
    return new Standing(
        value != null, value == null ? Optional.empty() : Optional.ofNullable(value.stamp()));
  }

  @Override
  public CompletionStage<Boolean> carries(Side side, Stamp stamp) {
    return mutations.contains(Mutation.NO_LOOK_AFTER_FILLING)
        ? CompletableFuture.completedStage(true)
        : read(side).thenApply(standing -> standing.carries(stamp));
  }

  @Override
  public CompletionStage<Held> hold(Side side) {
    CompletionStage<Held> value =
        on(
            side.key(),
            "GET",
            store -> {
              Value v = store.get(side.key());
              return new Held(
                  standing(v), v == null ? null : new Payload.Value(v.payload()), NO_KEY);
            });
    return value.thenCombine(
        ttlMillis(side.key()), (held, ttl) -> new Held(held.standing(), held.payload(), ttl));
  }

  @Override
  public CompletionStage<Long> ttlMillis(StoreKey side) {
    return on(side, "PTTL", store -> store.ttl(side));
  }

  @Override
  public CompletionStage<Change> compareAndSet(
      Side side, Expectation expected, Stamp target, Payload payload, Expiry expiry) {
    Bytes said = ((Payload.Value) payload).bytes();
    return on(
        side.key(),
        "CAS " + words(expected) + " => " + target,
        store -> {
          Value before = store.get(side.key());
          boolean already = before != null && target.equals(before.stamp());
          if (already) {
            return change(side, Change.Kind.ALREADY, before, target);
          }
          if (!matches(expected, before) && !mutations.contains(Mutation.NO_COMPARISON)) {
            boolean newer =
                before != null
                    && before.stamp() != null
                    && Order.newer(side.relation(), before.stamp(), target);
            return change(
                side, newer ? Change.Kind.SUPERSEDED : Change.Kind.CONFLICT, before, target);
          }
          long end =
              switch (expiry.kind()) {
                case NONE -> -1;
                case KEEP -> before == null ? -1 : before.expiresAt();
                case AFTER -> scheduler.now() + expiry.millis();
              };
          store.put(side.key(), new Value(target, said, end, author));
          return change(side, Change.Kind.WRITTEN, before, target);
        });
  }

  @Override
  public CompletionStage<Change> compareAndDelete(Side side, Expectation expected) {
    return on(
        side.key(),
        "CAD " + words(expected),
        store -> {
          Value before = store.get(side.key());
          if (before == null) {
            return change(side, Change.Kind.ALREADY, null, null);
          }
          if (!matches(expected, before) && !mutations.contains(Mutation.NO_COMPARISON)) {
            return change(side, Change.Kind.CONFLICT, before, null);
          }
          store.remove(side.key(), author);
          return change(side, Change.Kind.WRITTEN, before, null);
        });
  }

  private static boolean matches(Expectation expected, Value value) {
    if (expected instanceof Expectation.Stamped stamped) {
      return value != null && stamped.stamp().equals(value.stamp());
    }
    return expected instanceof Expectation.Absent && value == null;
  }

  private static String words(Expectation expected) {
    return expected instanceof Expectation.Stamped stamped ? stamped.stamp().toString() : "absent";
  }

  private static Change change(Side side, Change.Kind kind, Value before, Stamp target) {
    return new Change(
        side.key(), kind, standing(before), target == null ? "absent" : target.toString());
  }

  @Override
  public CompletionStage<Change> append(
      Side log,
      Expectation.Tail expected,
      Stamp stamp,
      Bytes payload,
      Double score,
      Expiry expiry) {
    throw new UnsupportedOperationException("no logs here");
  }

  @Override
  public CompletionStage<Change> withdraw(Side log, Stamp stamp, Bytes payload) {
    throw new UnsupportedOperationException("no logs here");
  }

  @Override
  public CompletionStage<Optional<Double>> scoreOf(Side log, Bytes token) {
    throw new UnsupportedOperationException("no logs here");
  }

  @Override
  public CompletionStage<Change> mark(StoreKey marker, Expiry expiry) {
    return on(
        marker,
        "SET NX",
        store -> {
          Value before = store.get(marker);
          store.mark(marker, author);
          Change.Kind kind = before == null ? Change.Kind.WRITTEN : Change.Kind.ALREADY;
          return new Change(marker, kind, new Standing(before != null, Optional.empty()), "marker");
        });
  }
}
