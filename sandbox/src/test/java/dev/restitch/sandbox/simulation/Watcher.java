package dev.restitch.sandbox.simulation;

import dev.restitch.avro.EvidenceSource;
import dev.restitch.avro.Gap;
import dev.restitch.avro.Observation;
import dev.restitch.avro.Reading;
import dev.restitch.model.StoreKey;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;

/** Hears of changes, reads what has changed some time later, and tells what it read later still. */
final class Watcher {

  private final Scheduler scheduler;
  private final Map<String, Store> stores;
  private final Actor actor = new Actor("watcher");
  private final Wire topic;
  private final BiConsumer<StoreKey, Observation> observations;
  private final Consumer<SpecificRecord> gaps;
  private final Consumer<String> swept;
  private final Map<StoreKey, String> waiting = new LinkedHashMap<>();
  private final Map<String, Long> blindSince = new HashMap<>();
  private int gapsSeen;

  Watcher(
      Scheduler scheduler,
      Map<String, Store> stores,
      BiConsumer<StoreKey, Observation> observations,
      Consumer<SpecificRecord> gaps,
      Consumer<String> swept) {
    this.swept = swept;
    this.scheduler = scheduler;
    this.stores = stores;
    this.observations = observations;
    this.gaps = gaps;
    this.topic = new Wire(scheduler, actor, actor, IllegalStateException::new, 0);
  }

  void notified(StoreKey key, String event) {
    if (!blindSince.containsKey(key.store()) && waiting.put(key, event) == null) {
      scheduler.soon(actor, () -> look(key));
    }
  }

  private void look(StoreKey key) {
    String event = waiting.remove(key);
    if (event == null) {
      return;
    }
    Reading reading = Looks.side(stores.get(key.store()), key);
    Observation observation =
        Observation.newBuilder()
            .setReading(reading)
            .setEvent(event)
            .setSource(EvidenceSource.NOTIFICATION)
            .setNode(key.store())
            .setObservedAtMillis(scheduler.now())
            .build();
    topic.call(
        () -> "tells of " + key,
        () -> {
          observations.accept(key, observation);
          return "";
        });
  }

  /** Loses a store's notifications from now until then. */
  void blind(String store, long until) {
    if (blindSince.containsKey(store)) {
      return;
    }
    scheduler.tell(actor, () -> "loses the notifications of " + store);
    long from = scheduler.now();
    blindSince.put(store, from);
    waiting.keySet().removeIf(key -> key.store().equals(store));
    scheduler.at(
        until,
        actor,
        () -> {
          blindSince.remove(store);
          gaps.accept(
              Gap.newBuilder()
                  .setId("gap" + gapsSeen++)
                  .setStore(store)
                  .setNode(store)
                  .setFromMillis(from)
                  .setToMillis(scheduler.now())
                  .setWhy("disconnect")
                  .build());
          swept.accept(store);
        });
  }
}
