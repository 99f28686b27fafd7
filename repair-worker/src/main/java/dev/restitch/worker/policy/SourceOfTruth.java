package dev.restitch.worker.policy;

import dev.restitch.avro.Outcome;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import dev.restitch.worker.apply.Change;
import dev.restitch.worker.apply.Expectation;
import dev.restitch.worker.apply.Held;
import dev.restitch.worker.apply.Payload;
import dev.restitch.worker.apply.SideStore;
import dev.restitch.worker.apply.Standing;
import dev.restitch.worker.apply.Versions;
import dev.restitch.worker.guard.GenerationCap;
import dev.restitch.worker.guard.RatePermits;
import dev.restitch.worker.truth.LogEntry;
import dev.restitch.worker.truth.Truth;
import dev.restitch.worker.truth.TruthSource;
import dev.restitch.writer.io.Stages;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/**
 * Rewrites every side from the authoritative database with a fresh token and a version above every
 * one seen: mint, read the truth, publish the intent, compare-and-set each side, write the marker;
 * and one settle time later read the truth again. If it has changed, that is a new generation with
 * a token of its own. A writer that commits between our mint and its own cache write can therefore
 * not leave stale data that looks whole. A side that the truth has no row for is deleted, where the
 * relation says so.
 *
 * <p>A log is only appended to: the entry that is missing, with its own stamp.
 */
public final class SourceOfTruth implements RepairPolicy {

  private static final Repair UNCHANGED =
      Repair.none(Outcome.ALREADY, "the truth is the same one settle time later");

  private final SideStore sides;
  private final Versions versions;
  private final Map<String, TruthSource> sources;
  private final GenerationCap generations;
  private final RatePermits permits;
  private final Rewrite rewrite;
  private final Appending appending;

  public SourceOfTruth(
      SideStore sides,
      Versions versions,
      Map<String, ? extends TruthSource> sources,
      GenerationCap generations,
      RatePermits permits,
      RewriteIntents intents) {
    this.sides = sides;
    this.versions = versions;
    this.sources = Map.copyOf(sources);
    this.generations = generations;
    this.permits = permits;
    this.rewrite = new Rewrite(sides, intents);
    this.appending = new Appending(sides);
  }

  @Override
  public CompletionStage<Repair> mend(RepairOrder order) {
    return order.relation().log() ? append(order) : from(order, 0, Map.of());
  }

  /**
   * A rewrite that stands everywhere looks whole, so that nobody would find it stale: whoever wrote
   * it died before the second look, or got no answer until its time was up.
   */
  @Override
  public CompletionStage<Optional<Repair.FollowUp>> owed(RepairOrder order) {
    if (order.relation().log() || !order.relation().stamp().hasToken()) {
      return CompletableFuture.completedStage(Optional.empty());
    }
    return look(order)
        .thenApply(
            standing ->
                standsEverywhere(order, standing)
                    ? Optional.of(
                        new Repair.FollowUp(order.relation().settle(), () -> lookAtOwn(order)))
                    : Optional.empty());
  }

  private static boolean standsEverywhere(RepairOrder order, Map<StoreKey, Standing> standing) {
    RewriteTokens tokens = new RewriteTokens(order.command().getId());
    boolean own = false;
    for (Standing side : standing.values()) {
      boolean mine =
          side.stamp().filter(stamp -> tokens.generation(stamp.token()).isPresent()).isPresent();
      if (side.present() && !mine) {
        return false; // whoever wrote here has his own deadline, and the judge looks after that
      }
      own |= mine;
    }
    return own;
  }

  private CompletionStage<Repair> lookAtOwn(RepairOrder order) {
    return look(order)
        .thenCompose(
            standing -> {
              if (!standsEverywhere(order, standing)) {
                return CompletableFuture.completedStage(
                    Repair.none(Outcome.ALREADY, "others have gone on since the rewrite"));
              }
              Scene scene = Scene.of(order, standing, Map.of());
              return truth(order)
                  .thenCompose(
                      truth ->
                          stillTrue(order, scene, truth)
                              .thenCompose(
                                  same ->
                                      same && sameSides(order, standing, truth)
                                          ? CompletableFuture.completedStage(UNCHANGED)
                                          : anew(order, scene.generation() + 1, Map.of())));
            });
  }

  private static boolean sameSides(
      RepairOrder order, Map<StoreKey, Standing> standing, Truth truth) {
    List<StoreKey> keys = order.sides();
    return IntStream.range(0, keys.size())
        .allMatch(i -> standing.get(keys.get(i)).present() == truth.payloads().get(i).isPresent());
  }

  /** A log is never rewritten: the entry that it lacks is fetched, and appended once. */
  private CompletionStage<Repair> append(RepairOrder order) {
    Stamp stamp = order.torn();
    if (order.relation().stamp().hasVersion() && stamp.version() == null) {
      throw new RepairStopped(
          Outcome.FAILED,
          "the entries of this log have a version, which only the transaction's intent tells");
    }
    return source(order)
        .entries(order.relation(), order.instance(), stamp.token())
        .thenCompose(
            entries ->
                Stages.all(
                    order.behind().stream()
                        .map(log -> append(order, log, stamp, entry(order, entries, log)))
                        .toList()))
        .thenApply(changes -> Repair.of(stamp, changes));
  }

  private static LogEntry entry(RepairOrder order, List<Optional<LogEntry>> entries, StoreKey log) {
    return entries
        .get(order.sides().indexOf(log))
        .orElseThrow(() -> missing(order, order.sides().indexOf(log)));
  }

  private CompletionStage<Change> append(
      RepairOrder order, StoreKey log, Stamp stamp, LogEntry entry) {
    return appending.append(order, log, stamp, entry.payload(), entry.score(), null);
  }

  private static RepairStopped missing(RepairOrder order, int side) {
    return new RepairStopped(
        Outcome.FAILED,
        "source "
            + order.settings().source()
            + " has no row for side "
            + order.relation().sides().get(side).name());
  }

  /**
   * Looks, and goes on where the command left off, or begins a generation.
   *
   * @param atLeast the generation to come to
   */
  private CompletionStage<Repair> from(
      RepairOrder order, int atLeast, Map<StoreKey, Scene.Own> remembered) {
    return look(order)
        .thenCompose(
            standing -> {
              Scene scene = Scene.of(order, standing, remembered);
              if (!scene.surprises().isEmpty()) {
                return CompletableFuture.completedStage(Repair.of(null, scene.surprises()));
              }
              return scene.generation() >= atLeast
                  ? resume(order, scene, remembered)
                  : begin(order, scene, Math.max(atLeast, scene.generation() + 1));
            });
  }

  private CompletionStage<Map<StoreKey, Standing>> look(RepairOrder order) {
    List<StoreKey> keys = order.sides();
    return Stages.all(keys.stream().map(key -> sides.read(order.side(key))).toList())
        .thenApply(
            standing -> {
              Map<StoreKey, Standing> bySide = new LinkedHashMap<>();
              for (int i = 0; i < keys.size(); i++) {
                bySide.put(keys.get(i), standing.get(i));
              }
              return bySide;
            });
  }

  private CompletionStage<Repair> begin(RepairOrder order, Scene scene, int generation) {
    Bytes token = new RewriteTokens(order.command().getId()).of(generation);
    if (generation >= RewriteTokens.GENERATIONS
        || !generations.take(order.instance(), token, order.relation().generations())) {
      throw new RepairStopped(
          Outcome.FAILED,
          "the truth keeps changing, or the instance keeps tearing: "
              + order.relation().generations()
              + " rewrites within an hour are allowed");
    }
    boolean hasToken = order.relation().stamp().hasToken();
    return versions
        .above(order.relation(), order.instance(), scene.floor())
        .thenCompose(
            version -> {
              Stamp stamp = new Stamp(version.orElse(null), hasToken ? token : Bytes.EMPTY);
              return truth(order)
                  .thenCompose(
                      truth -> {
                        Rewrite.Plan plan = new Rewrite.Plan(token, stamp, generation, truth);
                        return rewrite
                            .announce(order, plan)
                            .thenCompose(announced -> write(order, scene, plan));
                      });
            });
  }

  /** Some sides have been written already: finish, if they still say the truth. */
  private CompletionStage<Repair> resume(
      RepairOrder order, Scene scene, Map<StoreKey, Scene.Own> remembered) {
    int generation = scene.generation();
    return truth(order)
        .thenCompose(
            truth ->
                stillTrue(order, scene, truth)
                    .thenCompose(
                        same -> {
                          Bytes token = new RewriteTokens(order.command().getId()).of(generation);
                          return same
                              ? write(
                                  order,
                                  scene,
                                  new Rewrite.Plan(
                                      token, scene.stampOf(generation), generation, truth))
                              : from(order, generation + 1, remembered);
                        }));
  }

  private CompletionStage<Boolean> stillTrue(RepairOrder order, Scene scene, Truth truth) {
    List<StoreKey> keys = order.sides();
    List<CompletionStage<Boolean>> same = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      StoreKey key = keys.get(i);
      Scene.Own own = scene.own().get(key);
      if (own == null || own.generation() != scene.generation()) {
        continue;
      }
      Optional<Payload> wanted = truth.payloads().get(i).map(said -> order.payload(key, said));
      same.add(
          own.expected() instanceof Expectation.Absent
              ? CompletableFuture.completedStage(wanted.isEmpty())
              : sides.hold(order.side(key)).thenApply(held -> says(own, wanted, held)));
    }
    return Stages.all(same).thenApply(all -> !all.contains(false));
  }

  private static boolean says(Scene.Own own, Optional<Payload> wanted, Held held) {
    return held.stamp().filter(own.stamp()::equals).isPresent()
        && wanted.filter(payload -> payload.equals(held.payload())).isPresent();
  }

  private CompletionStage<Repair> write(RepairOrder order, Scene scene, Rewrite.Plan plan) {
    Written written =
        new Written(plan.generation(), plan.truth().digests(), plan.remembered(order));
    return rewrite
        .write(order, scene, plan)
        .thenApply(
            repair ->
                repair.stands()
                    ? repair.followedBy(
                        new Repair.FollowUp(
                            order.relation().settle(), () -> lookAgain(order, written)))
                    : repair);
  }

  /** What is kept of a generation until the second look: no payload. */
  private record Written(
      int generation, List<Optional<Bytes>> digests, Map<StoreKey, Scene.Own> remembered) {}

  private CompletionStage<Repair> lookAgain(RepairOrder order, Written written) {
    return truth(order)
        .thenCompose(
            now ->
                now.digests().equals(written.digests())
                    ? CompletableFuture.completedStage(UNCHANGED)
                    : anew(order, written.generation() + 1, written.remembered()));
  }

  /** The truth has changed since a generation: another one. */
  private CompletionStage<Repair> anew(
      RepairOrder order, int generation, Map<StoreKey, Scene.Own> remembered) {
    return permits
        .acquire(order.relation(), order.stores())
        .thenCompose(turn -> from(order, generation, remembered));
  }

  private CompletionStage<Truth> truth(RepairOrder order) {
    return source(order)
        .read(order.relation(), order.instance())
        .thenApply(
            truth -> {
              for (int i = 0; i < truth.payloads().size(); i++) {
                if (truth.payloads().get(i).isEmpty() && !order.settings().deleteMissing()) {
                  throw missing(order, i);
                }
              }
              return truth;
            });
  }

  private TruthSource source(RepairOrder order) {
    TruthSource source = sources.get(order.settings().source());
    if (source == null) {
      throw new RepairStopped(
          Outcome.FAILED, "no source of truth is named " + order.settings().source());
    }
    return source;
  }
}
