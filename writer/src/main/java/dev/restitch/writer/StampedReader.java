package dev.restitch.writer;

import dev.restitch.config.RelationConfig;
import dev.restitch.config.Relations;
import dev.restitch.config.RestitchConfig;
import dev.restitch.key.InstanceName;
import dev.restitch.model.Bytes;
import dev.restitch.store.StoreClient;
import dev.restitch.writer.io.Outbox;
import dev.restitch.writer.io.Stages;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.Producer;

/**
 * Reads the sides of an instance, each by one command on its primary, and compares their stamps. A
 * mismatch is served all the same, with the most recent side named, and is told to the audit, which
 * then looks at the instance at once. That report never holds a reader up: it is handed to another
 * thread, at most one an instance each {@code settle}, and is dropped and counted if too many wait.
 *
 * <p>A read is not atomic: sides read while a write is under way may differ though they are about
 * to be whole. The audit tells the two apart. A side that its transaction deleted on purpose looks
 * like a missing one here.
 *
 * <p>Thread-safe; never blocks; stages complete on threads that must not be blocked. Stores and
 * producer stay their owner's.
 */
public final class StampedReader implements AutoCloseable {

  /** Longest string that is served, in bytes; a longer one is compared, and not served. */
  public static final int LARGEST_VALUE = 32 * 1024 * 1024;

  private static final int CAPACITY = 1_000;
  private static final int REPORTED = Consistency.values().length;

  private final Relations relations;
  private final PrimaryReads primaries;
  private final MismatchReports reports;
  private final int largest;

  /** Reads by {@link Consistency}, then the mismatches that were reported. */
  private final AtomicLongArray counts = new AtomicLongArray(REPORTED + 1);

  private StampedReader(
      Relations relations, Map<String, StoreClient> stores, MismatchReports reports, int largest) {
    this.relations = relations;
    this.primaries = new PrimaryReads(stores);
    this.reports = reports;
    this.largest = largest;
  }

  /**
   * Opens a reader.
   *
   * @param stores every store of the relations that will be read, by name
   * @param producer outside the application's transactions; may be shared with a {@link
   *     StampedWriter}; null: mismatches are detected and not reported
   */
  public static StampedReader open(
      RestitchConfig config,
      Map<String, StoreClient> stores,
      Producer<String, SpecificRecord> producer) {
    return open(config, stores, producer, Clock.systemUTC(), System::nanoTime, LARGEST_VALUE);
  }

  static StampedReader open(
      RestitchConfig config,
      Map<String, StoreClient> stores,
      Producer<String, SpecificRecord> producer,
      Clock clock,
      LongSupplier nanos,
      int largest) {
    MismatchReports reports =
        producer == null
            ? null
            : new MismatchReports(
                new Outbox(producer, config.topics(), "restitch-reader-reports", CAPACITY),
                clock,
                nanos);
    return new StampedReader(config.resolver(), stores, reports, largest);
  }

  /** Reads every side; as {@link #read(String, List, Set)}. */
  public CompletionStage<ReadResult> read(String relation, String... ids) {
    return read(relation, Arrays.stream(ids).map(Bytes::utf8).toList());
  }

  /** Reads every side; as {@link #read(String, List, Set)}. */
  public CompletionStage<ReadResult> read(String relation, List<Bytes> ids) {
    return read(relation, ids, Set.of());
  }

  /**
   * Reads sides of one instance. Hashes are read whole, of logs the newest 64 entries.
   *
   * @param ids the instance's ids, in the order of the first side's key pattern
   * @param sides names of the sides; empty: all
   * @return what was read; never fails for a store: a side that it did not give is {@link
   *     SideState#UNREADABLE}
   * @throws IllegalArgumentException for an unknown relation or side, another number of ids, or a
   *     store that is not open
   */
  public CompletionStage<ReadResult> read(String relation, List<Bytes> ids, Set<String> sides) {
    RelationConfig declared =
        relations
            .named(relation)
            .orElseThrow(() -> new IllegalArgumentException("no relation is named " + relation));
    String instance = InstanceName.of(relation, ids);
    List<CompletionStage<SideRead>> reads = new ArrayList<>(declared.sides().size());
    for (int i : chosen(declared, sides)) {
      reads.add(primaries.read(new SideFetch(declared, i, declared.keyOf(instance, i), largest)));
    }
    return Stages.all(reads).thenApply(read -> conclude(declared, instance, read));
  }

  private static List<Integer> chosen(RelationConfig relation, Set<String> names) {
    List<Integer> chosen = new ArrayList<>(relation.sides().size());
    for (int i = 0; i < relation.sides().size(); i++) {
      if (names.isEmpty() || names.contains(relation.sides().get(i).name())) {
        chosen.add(i);
      }
    }
    if (!names.isEmpty() && chosen.size() < names.size()) {
      throw new IllegalArgumentException(
          "relation " + relation.name() + " has not all the sides " + names);
    }
    return chosen;
  }

  private ReadResult conclude(RelationConfig relation, String instance, List<SideRead> sides) {
    Comparison comparison = new Comparison(relation, sides);
    Consistency consistency = comparison.consistency();
    counts.incrementAndGet(consistency.ordinal());
    if (consistency == Consistency.MISMATCH
        && reports != null
        && reports.tell(relation, instance, sides)) {
      counts.incrementAndGet(REPORTED);
    }
    return new ReadResult(
        instance, sides, consistency, comparison.mostRecent().map(SideRead::key).orElse(null));
  }

  /** What the reader has done so far. The parts fit together while no read is under way. */
  public ReaderCounters counters() {
    long reported = counts.get(REPORTED);
    long whole = counts.get(Consistency.WHOLE.ordinal());
    long mismatches = counts.get(Consistency.MISMATCH.ordinal());
    long unknown = counts.get(Consistency.UNKNOWN.ordinal());
    return new ReaderCounters(
        whole + mismatches + unknown,
        whole,
        mismatches,
        unknown,
        reported,
        mismatches - reported,
        reports == null ? 0 : reports.failed());
  }

  /** Hands over the reports that still wait for the producer. Idempotent. */
  @Override
  public void close() {
    if (reports != null) {
      reports.close();
    }
  }
}
