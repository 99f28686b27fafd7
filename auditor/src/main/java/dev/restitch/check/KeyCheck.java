package dev.restitch.check;

import dev.restitch.avro.KeyRef;
import dev.restitch.avro.KeyState;
import dev.restitch.avro.ProbeRequest;
import dev.restitch.avro.Reading;
import dev.restitch.avro.Snapshot;
import dev.restitch.config.RelationConfig;
import dev.restitch.config.Relations;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.probe.DoubleCollect;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Reads all sides of instances now, twice as the prober does, and says what that shows. What
 * disagrees is read again one settle time later, as a write may be under way. Writes nothing, and
 * needs neither Kafka nor an auditor. Blocks.
 */
public final class KeyCheck {

  private static final int UNSTABLE_TRIES = 5;
  private static final long UNSTABLE_PAUSE_MILLIS = 50;

  private final Relations relations;
  private final DoubleCollect collect;
  private final Clock clock;
  private final boolean once;

  /**
   * @param once never look again: what disagrees is then undecided
   */
  public KeyCheck(Relations relations, DoubleCollect collect, Clock clock, boolean once) {
    this.relations = relations;
    this.collect = collect;
    this.clock = clock;
    this.once = once;
  }

  /** Checks instances of known relations; one result each, in their order. */
  public List<Checked> check(Set<String> instances) throws InterruptedException {
    List<Examination> all = new ArrayList<>();
    for (String instance : instances) {
      RelationConfig relation = relations.ofInstance(instance).orElseThrow();
      all.add(new Examination(relation, instance));
    }
    for (Examination examination : all) {
      look(examination);
    }
    for (Examination examination : all) {
      lookAgain(examination);
    }
    return all.stream().map(e -> Finding.of(e, once)).toList();
  }

  private void lookAgain(Examination examination) throws InterruptedException {
    for (long due = examination.lookAgainAt(); due >= 0; due = examination.lookAgainAt()) {
      if (once) {
        examination.reach(due);
        examination.look(examination.lastLook(), due);
        return;
      }
      long wait = due - clock.millis();
      if (wait > 0) {
        TimeUnit.MILLISECONDS.sleep(wait);
      }
      examination.reach(Math.max(due, clock.millis()));
      look(examination);
    }
  }

  private void look(Examination examination) throws InterruptedException {
    Snapshot seen = null;
    for (int tries = 0; tries < UNSTABLE_TRIES && (seen == null || !seen.getStable()); tries++) {
      if (seen != null) {
        TimeUnit.MILLISECONDS.sleep(UNSTABLE_PAUSE_MILLIS);
      }
      seen = collect(examination);
    }
    examination.look(seen, clock.millis());
  }

  /** Which markers matter is known from the tokens: first the sides, then both together. */
  private Snapshot collect(Examination examination) {
    List<StoreKey> sides = examination.relation().keysOf(examination.instance());
    Snapshot first = ask(examination.instance(), sides, Set.of());
    Set<StoreKey> markers = markers(examination, first);
    return markers.isEmpty() ? first : ask(examination.instance(), sides, markers);
  }

  private static Set<StoreKey> markers(Examination examination, Snapshot seen) {
    Set<StoreKey> markers = new LinkedHashSet<>();
    for (Reading reading : seen.getSides()) {
      List<ByteBuffer> tokens =
          reading.getTokens() != null
              ? reading.getTokens()
              : reading.getToken() == null ? List.of() : List.of(reading.getToken());
      if (reading.getState() == KeyState.STAMPED) {
        tokens.stream()
            .map(Bytes::copyOf)
            .filter(token -> !token.isEmpty())
            .forEach(
                token ->
                    examination
                        .relation()
                        .markerOf(examination.instance(), token)
                        .ifPresent(markers::add));
      }
    }
    return markers;
  }

  private Snapshot ask(String instance, List<StoreKey> sides, Set<StoreKey> markers) {
    return collect
        .answer(
            ProbeRequest.newBuilder()
                .setInstance(instance)
                .setSeq(0)
                .setAskedAtMillis(clock.millis())
                .setAttempt(0)
                .setKeys(sides.stream().map(KeyCheck::ref).toList())
                .setMarkers(markers.stream().map(KeyCheck::ref).toList())
                .setReason("check")
                .build())
        .join();
  }

  private static KeyRef ref(StoreKey key) {
    return new KeyRef(key.store(), key.key().toBuffer());
  }
}
