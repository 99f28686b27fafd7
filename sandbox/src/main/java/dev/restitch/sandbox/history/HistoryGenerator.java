package dev.restitch.sandbox.history;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongConsumer;

/**
 * Writes a history of many transactions over six relations (two and four sides, with and without
 * intents, counters, timestamps, bare tokens, markers, transfers between instances), with writers
 * that overlap, evidence that is late, doubled and out of order, and some tears of which the
 * verdict is known. The same seed writes the same bytes. Not thread-safe.
 */
public final class HistoryGenerator {

  /**
   * What was written.
   *
   * @param lines of the file
   * @param tears that must be declared; nothing else may be
   */
  public record Written(long transactions, long lines, List<KnownTear> tears) {}

  /** The relations of the generated histories. */
  public static final String RELATIONS =
      """
      kafka: { bootstrap.servers: "localhost:9092" }
      stores: { east: { uri: "redis://localhost:7001" }, west: { uri: "redis://localhost:7002" } }
      relations:
        user:
          sides:
            profile:  { store: east, key: "user:{id}:profile" }
            settings: { store: west, key: "user:{id}:settings" }
          stamp: "{version}:{token}:{payload}"
          version: { order: counter }
        order:
          sides:
            head:   { store: east, key: "order:{id}:head" }
            lines:  { store: west, key: "order:{id}:lines" }
            totals: { store: east, key: "order:{id}:totals" }
            notes:  { store: west, key: "order:{id}:notes" }
          stamp: "{version}:{token}:{payload}"
          version: { order: counter }
          writes: some
        doc:
          sides:
            body:  { store: east, key: "doc:{id}:body" }
            index: { store: west, key: "doc:{id}:index" }
          stamp: "{token}:{payload}"
        price:
          sides:
            list: { store: east, key: "price:{id}:list" }
            sale: { store: west, key: "price:{id}:sale" }
          stamp: "{version}:{token}:{payload}"
          version: { order: timestamp, max-skew: 250ms }
        pay:
          sides:
            debit:  { store: east, key: "pay:{id}:debit" }
            credit: { store: west, key: "pay:{id}:credit" }
          stamp: "{version}:{token}:{payload}"
          version: { order: counter }
          marker: { store: east, key: "txn:{token}:committed", ttl: 1h }
        acct:
          sides: { balance: { store: east, key: "acct:{id}:balance" } }
          stamp: "{version}:{token}:{payload}"
          version: { order: counter }
          writes: some
      """;

  private static final long BEGIN = 1_790_000_000_000L;
  private static final double MOST_TORN = 0.05;
  private static final int LONGEST_LAG_MILLIS = 1_500;

  private final Random random;
  private final long transactions;
  private final int perSecond;
  private final double tearShare;
  private final Cast cast;

  /**
   * @param perSecond transactions in a second of recorded time
   * @param tearShare 0 to 0.05: a torn instance is not written to again, and some must be left
   * @throws IllegalArgumentException if a number is out of its range
   */
  public HistoryGenerator(long seed, long transactions, int perSecond, double tearShare) {
    if (transactions < 0 || perSecond < 1 || !(tearShare >= 0 && tearShare <= MOST_TORN)) {
      throw new IllegalArgumentException(
          "transactions must be 0 or more, perSecond 1 or more, tearShare 0 to " + MOST_TORN);
    }
    this.random = new Random(seed);
    this.transactions = transactions;
    this.perSecond = perSecond;
    this.tearShare = tearShare;
    this.cast = new Cast((int) Math.max(500, Math.min(1_000_000, transactions / 20)), random);
  }

  /**
   * Writes the history.
   *
   * @param progress called now and then with the transactions written so far
   */
  public Written write(Path file, LongConsumer progress) throws IOException {
    List<KnownTear> tears = new ArrayList<>();
    try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      Timeline timeline = new Timeline(out);
      Writers writers = new Writers(timeline, random, LONGEST_LAG_MILLIS);
      Tears torn = new Tears(timeline, random, writers, tears);
      for (long n = 0; n < transactions; n++) {
        long at = BEGIN + n * 1_000 / perSecond;
        timeline.writeBefore(at);
        if (random.nextDouble() < tearShare) {
          torn.tear(cast, at);
        } else {
          writers.write(cast, at);
        }
        if ((n & 0x3fff) == 0) {
          progress.accept(n);
        }
      }
      long end = timeline.latest() + 120_000;
      timeline.add(end, Lines.end(end));
      timeline.writeAll();
      return new Written(transactions, timeline.lines(), List.copyOf(tears));
    }
  }
}
