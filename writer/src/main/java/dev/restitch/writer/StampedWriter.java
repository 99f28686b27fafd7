package dev.restitch.writer;

import dev.restitch.config.Relations;
import dev.restitch.config.RestitchConfig;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.store.StoreClient;
import dev.restitch.writer.io.Stages;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes several keys as one logical write that can be audited: mints token and version, sends the
 * intent, writes the sides and, once they all stand, the commit marker, and says what became of it.
 *
 * <p>It makes no write atomic. A crash between two writes leaves a tear; the audit finds it. A
 * fenced delete leaves nothing behind that could refuse an older write. Thread-safe; never blocks;
 * stages complete on threads that must not be blocked. Stores and producer stay their owner's.
 */
public final class StampedWriter implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(StampedWriter.class);

  private final Relations relations;
  private final WriterOptions options;
  private final SideWriter sides;
  private final VersionMint mint;
  private final IntentPublisher publisher;

  private StampedWriter(
      Relations relations,
      Map<String, StoreClient> stores,
      IntentPublisher publisher,
      WriterOptions options) {
    this.relations = relations;
    this.options = options;
    this.sides = new SideWriter(stores, options.fenced());
    this.mint = new VersionMint(stores);
    this.publisher = publisher;
  }

  /**
   * Opens a writer.
   *
   * @param stores every store of the relations that will be written, by name
   * @param producer the writer's own, outside the application's transactions; null where {@link
   *     IntentMode#NONE} is chosen
   */
  public static StampedWriter open(
      RestitchConfig config,
      Map<String, StoreClient> stores,
      Producer<String, SpecificRecord> producer,
      WriterOptions options) {
    if (producer == null && options.intents() != IntentMode.NONE) {
      throw new IllegalArgumentException("intents need a producer");
    }
    return new StampedWriter(
        config.resolver(),
        stores,
        producer == null ? null : new IntentPublisher(producer, config.topics()),
        options);
  }

  /**
   * Mints a transaction and does nothing else.
   *
   * @return fails with the store's exception if no version could be minted
   * @throws IllegalArgumentException if the configuration does not allow this write: an unknown
   *     relation or side, a side left out where {@code writes: all}, a fence without a version
   */
  public CompletionStage<Transaction> begin(WriteRequest request) {
    WritePlan plan = WritePlan.of(request, relations, options.fenced());
    Bytes token = Bytes.utf8(UUID.randomUUID().toString().replace("-", ""));
    return version(plan)
        .thenApply(
            version ->
                new Transaction(
                    plan, token, version, request.traceparent(), options, sides, publisher));
  }

  /**
   * Makes the whole write.
   *
   * @return the report, also where keys failed; fails, with nothing written, if no version could be
   *     minted or, with {@link IntentMode#BEFORE}, the intent was not acknowledged
   * @throws IllegalArgumentException as {@link #begin}
   */
  public CompletionStage<WriteReport> write(WriteRequest request) {
    return begin(request)
        .thenCompose(
            transaction ->
                announce(transaction)
                    .thenCompose(announced -> transaction.writeAll())
                    .thenCompose(written -> commit(transaction))
                    .thenApply(committed -> conclude(transaction)));
  }

  private CompletionStage<Void> announce(Transaction transaction) {
    return switch (options.intents()) {
      case BEFORE -> transaction.publishIntent();
      case BESIDE -> {
        warnIfLost(transaction.publishIntent(), transaction, "intent was not acknowledged");
        yield CompletableFuture.completedStage(null);
      }
      case NONE -> CompletableFuture.completedStage(null);
    };
  }

  private static CompletionStage<Map<StoreKey, KeyResult>> commit(Transaction transaction) {
    return transaction.sidesStand()
        ? transaction.writeMarkers()
        : CompletableFuture.completedStage(Map.of());
  }

  private WriteReport conclude(Transaction transaction) {
    if (options.done() && options.intents() != IntentMode.NONE) {
      warnIfLost(transaction.publishDone(), transaction, "done was not acknowledged");
    }
    return transaction.report();
  }

  private static void warnIfLost(
      CompletionStage<Void> sent, Transaction transaction, String message) {
    sent.whenComplete(
        (nothing, failure) -> {
          if (failure != null) {
            log.atWarn()
                .addKeyValue("instances", transaction.instances())
                .addKeyValue("token", transaction.token())
                .addKeyValue("error", Stages.cause(failure).toString())
                .log(message);
          }
        });
  }

  private CompletionStage<Long> version(WritePlan plan) {
    if (plan.byClock()) {
      return CompletableFuture.completedStage(options.clock().millis());
    }
    List<StoreKey> counters = plan.counters();
    return counters.isEmpty() ? CompletableFuture.completedStage(null) : mint.next(counters);
  }

  /** Hands over the records that still wait for the producer. Idempotent. */
  @Override
  public void close() {
    if (publisher != null) {
      publisher.close();
    }
  }
}
