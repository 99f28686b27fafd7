package dev.restitch.sandbox.simulation;

import dev.restitch.avro.EvidenceSource;
import dev.restitch.avro.KeyRef;
import dev.restitch.avro.ProbeRequest;
import dev.restitch.avro.Reading;
import dev.restitch.avro.Snapshot;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.writer.io.Stages;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/**
 * Answers asks by a double collect, one read a step; answers again what it had not when it died.
 */
final class Prober {

  private final Scheduler scheduler;
  private final Map<String, Store> stores;
  private final BiConsumer<String, Snapshot> answers;
  private final List<ProbeRequest> unanswered = new ArrayList<>();
  private final Map<String, Wire> wires = new LinkedHashMap<>();
  private Actor actor;

  Prober(Scheduler scheduler, Map<String, Store> stores, BiConsumer<String, Snapshot> answers) {
    this.scheduler = scheduler;
    this.stores = stores;
    this.answers = answers;
    start();
  }

  private void start() {
    actor = new Actor("prober");
    for (String store : stores.keySet()) {
      wires.put(store, new Wire(scheduler, actor, actor, IllegalStateException::new, 0));
    }
  }

  void ask(ProbeRequest request) {
    unanswered.add(request);
    scheduler.soon(actor, () -> answer(request));
  }

  /** Dies, and begins again where it had committed. */
  void restart() {
    scheduler.tell(actor, () -> "is killed, and starts again");
    actor.dead = true;
    start();
    for (ProbeRequest request : unanswered) {
      scheduler.soon(actor, () -> answer(request));
    }
  }

  private void answer(ProbeRequest request) {
    Actor me = actor;
    pass(request)
        .thenCompose(
            first ->
                pass(request)
                    .thenAccept(
                        second ->
                            scheduler.soon(
                                me, () -> publish(request, second, first.equals(second)))));
  }

  private CompletionStage<List<Reading>> pass(ProbeRequest request) {
    List<CompletionStage<Reading>> readings = new ArrayList<>();
    for (KeyRef ref : request.getKeys()) {
      readings.add(look(key(ref), false));
    }
    for (KeyRef ref : request.getMarkers()) {
      readings.add(look(key(ref), true));
    }
    return Stages.all(readings);
  }

  private CompletionStage<Reading> look(StoreKey key, boolean marker) {
    Store store = stores.get(key.store());
    return wires
        .get(key.store())
        .call(
            () -> "looks at " + key,
            () -> marker ? Looks.marker(store, key) : Looks.side(store, key));
  }

  private void publish(ProbeRequest request, List<Reading> readings, boolean alike) {
    boolean same =
        readings.stream().allMatch(r -> stores.get(r.getStore()).runId().equals(r.getPrimary()));
    unanswered.remove(request);
    answers.accept(
        request.getInstance(),
        Snapshot.newBuilder()
            .setInstance(request.getInstance())
            .setSeq(request.getSeq())
            .setAskedAtMillis(request.getAskedAtMillis())
            .setSource(EvidenceSource.PROBE)
            .setStable(alike && same)
            .setSides(readings)
            .setTakenAtMillis(scheduler.now())
            .build());
  }

  private static StoreKey key(KeyRef ref) {
    return new StoreKey(ref.getStore(), Bytes.copyOf(ref.getKey()));
  }
}
