package dev.restitch.sandbox.bench.drain;

import dev.restitch.avro.EvidenceSource;
import dev.restitch.avro.Intent;
import dev.restitch.avro.KeyState;
import dev.restitch.avro.Observation;
import dev.restitch.avro.Reading;
import dev.restitch.avro.Write;
import dev.restitch.avro.WriteOp;
import dev.restitch.avro.WriterRef;
import dev.restitch.model.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The records of one transaction after the other, as the watcher and writers send them, and which
 * of them are torn. A transaction's first side is seen, and {@code open} transactions later its
 * last; in recorded time that is always one second, and the settle time is two. Every so many
 * transactions one tears an instance of its own. Immutable.
 *
 * @param startMillis recorded time of the first record
 */
record DrainData(
    long transactions,
    int open,
    int sides,
    int valueSize,
    boolean intents,
    long seed,
    long startMillis) {

  static final int SPREAD_MILLIS = 1_000;
  static final int SETTLE_MILLIS = 2_000;

  /** Instances are written to again, but never twice within the settle time. */
  private static final int SPREADS_TO_NEXT_WRITE = 8;

  private static final int TORN_ONE_IN = 5_000;
  private static final String[] PRIMARIES = {
    "7ca2e0f1b39d4c5e8f60718293a4b5c6d7e8f901", "0f1e2d3c4b5a69788796a5b4c3d2e1f00112233a"
  };

  /** Takes a record of the data. */
  interface Sink {
    void intent(String instance, Intent intent, long atMillis);

    void observation(String instance, Observation observation, long atMillis);
  }

  /** Everything, in recorded order. */
  void write(Sink sink) {
    for (long step = 0; step < transactions + open; step++) {
      long at = atStep(step);
      if (step < transactions) {
        begin(sink, step, at);
      }
      for (int side = 1; side < sides; side++) {
        long of = step - (long) open * side / (sides - 1);
        if (of >= 0 && of < transactions) {
          sink.observation(instance(of), seen(instance(of), side, of), at);
        }
      }
    }
  }

  private void begin(Sink sink, long of, long at) {
    String instance = instance(of);
    if (intents) {
      sink.intent(instance, intent(instance, of), at);
    }
    sink.observation(instance, seen(instance, 0, of), at);
    if (tears(of)) {
      String torn = torn(of);
      for (int side = 0; side < sides; side++) {
        sink.observation(torn, seen(torn, side, of), at);
      }
      sink.observation(torn, seen(torn, 0, of + 1), at);
    }
  }

  /** All records of {@link #write}. */
  long records() {
    return transactions * (sides + (intents ? 1L : 0)) + tornCount() * (sides + 1L);
  }

  private long atStep(long step) {
    return startMillis + step * SPREAD_MILLIS / open;
  }

  /** Recorded time from the first record to the last. */
  static long spanMillis(long transactions, int open) {
    return (transactions + open) * SPREAD_MILLIS / open;
  }

  /** How many instances are written to, torn ones aside. */
  long population() {
    return Math.min((long) SPREADS_TO_NEXT_WRITE * open, transactions);
  }

  private String instance(long of) {
    return "user/" + of % population();
  }

  /** Torn ones stand well before the end, so that their deadlines pass while there is input. */
  private boolean tears(long of) {
    long last = transactions - 3L * open;
    return transactions >= TORN_ONE_IN ? of % TORN_ONE_IN == 7 && of < Math.max(last, 8) : of == 1;
  }

  long tornCount() {
    if (transactions < TORN_ONE_IN) {
      return transactions > 1 ? 1 : 0;
    }
    long last = Math.max(transactions - 3L * open, 8);
    return (Math.min(last, transactions) - 8) / TORN_ONE_IN + 1;
  }

  private static String torn(long of) {
    return "user/torn-" + of;
  }

  /** The instances that are torn. */
  List<String> tornInstances() {
    List<String> all = new ArrayList<>();
    for (long of = 0; of < transactions; of++) {
      if (tears(of)) {
        all.add(torn(of));
      }
    }
    return all;
  }

  static boolean isTorn(String instance) {
    return instance.startsWith("user/torn-");
  }

  /**
   * The token of the transaction that tore an instance, or that whole ones were written by last.
   */
  String lastToken(String instance) {
    return token(lastOf(instance));
  }

  private long lastOf(String instance) {
    if (isTorn(instance)) {
      return Long.parseLong(instance.substring("user/torn-".length())) + 1;
    }
    long first = Long.parseLong(instance.substring("user/".length()));
    return first + (transactions - 1 - first) / population() * population();
  }

  /** What a snapshot after everything sees of an instance. */
  List<Reading> atRest(String instance) {
    List<Reading> readings = new ArrayList<>(sides);
    long last = lastOf(instance);
    for (int side = 0; side < sides; side++) {
      readings.add(reading(instance, side, isTorn(instance) && side > 0 ? last - 1 : last));
    }
    return readings;
  }

  private String token(long of) {
    long mixed = (of + 1) * 0x9e3779b97f4a7c15L ^ seed;
    return new UUID(mixed, Long.rotateLeft(mixed, 31) * 0xbf58476d1ce4e5b9L)
        .toString()
        .replace("-", "");
  }

  Observation seen(String instance, int side, long of) {
    return new Observation(
        reading(instance, side, of),
        "set",
        EvidenceSource.NOTIFICATION,
        "127.0.0.1:" + (7001 + side % 2),
        startMillis);
  }

  private Reading reading(String instance, int side, long of) {
    Reading reading = new Reading();
    reading.setStore(store(side));
    reading.setKey(key(instance, side));
    reading.setState(KeyState.STAMPED);
    reading.setVersion(of + 1);
    reading.setToken(Bytes.utf8(token(of)).toBuffer());
    reading.setPrimary(PRIMARIES[side % 2]);
    reading.setLength((long) valueSize + 40);
    return reading;
  }

  private Intent intent(String instance, long of) {
    List<Write> writes = new ArrayList<>(sides);
    for (int side = 0; side < sides; side++) {
      Write write = new Write();
      write.setStore(store(side));
      write.setKey(key(instance, side));
      write.setOp(WriteOp.PUT);
      write.setPayload(side == 0 ? ByteBuffer.allocate(valueSize) : null);
      writes.add(write);
    }
    return Intent.newBuilder()
        .setToken(Bytes.utf8(token(of)).toBuffer())
        .setVersion(of + 1)
        .setWrites(writes)
        .setWriter(new WriterRef("bench", "localhost", null))
        .setCreatedAtMillis(startMillis)
        .build();
  }

  private static String store(int side) {
    return side % 2 == 0 ? "east" : "west";
  }

  private static ByteBuffer key(String instance, int side) {
    return Bytes.utf8("user:" + instance.substring("user/".length()) + ":side" + side).toBuffer();
  }

  /** The sides of the relation, in YAML. */
  static String sidesYaml(int sides) {
    StringBuilder yaml = new StringBuilder();
    for (int side = 0; side < sides; side++) {
      yaml.append(
          "      side%d: { store: %s, key: \"user:{id}:side%d\" }%n"
              .formatted(side, store(side), side));
    }
    return yaml.toString();
  }
}
