package dev.restitch.writer;

import dev.restitch.avro.Done;
import dev.restitch.avro.WriteResult;
import dev.restitch.config.MarkerConfig;
import dev.restitch.config.RelationConfig;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.stamp.Stamp;
import dev.restitch.writer.io.Stages;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/**
 * One logical write with its token and version, step by step: {@link #publishIntent}, {@link
 * #write} for each key, {@link #writeMarkers}, {@link #publishDone}. The caller may stop after any
 * step, and may repeat one later: that is how tears are made on purpose. {@link
 * StampedWriter#write} does all of it. Thread-safe.
 */
public final class Transaction {

  private final WritePlan plan;
  private final Bytes token;
  private final Long version;
  private final String traceparent;
  private final WriterOptions options;
  private final SideWriter sides;
  private final IntentPublisher publisher;
  private final Map<StoreKey, KeyWrite> writes = new LinkedHashMap<>();
  private final Map<StoreKey, RelationConfig> markers = new LinkedHashMap<>();
  private final Map<StoreKey, KeyResult> results = new ConcurrentHashMap<>();

  Transaction(
      WritePlan plan,
      Bytes token,
      Long version,
      String traceparent,
      WriterOptions options,
      SideWriter sides,
      IntentPublisher publisher) {
    this.plan = plan;
    this.token = token;
    this.version = version;
    this.traceparent = traceparent;
    this.options = options;
    this.sides = sides;
    this.publisher = publisher;
    plan.writes().forEach(write -> writes.put(write.key(), write));
    plan.instances()
        .forEach(
            (instance, relation) ->
                relation.markerOf(instance, token).ifPresent(key -> markers.put(key, relation)));
  }

  /** The token, as every stamp that has one carries it. */
  public Bytes token() {
    return token;
  }

  /** The version; null where no stamp has one. */
  public Long version() {
    return version;
  }

  /** The stamp of a key of the write set. */
  public Stamp stampOf(StoreKey key) {
    return write(key, KeyWrite::stamp);
  }

  /** The write set, in the order of the request. */
  public List<KeyWrite> writes() {
    return plan.writes();
  }

  /** The instances that it touches. */
  public List<String> instances() {
    return List.copyOf(plan.instances().keySet());
  }

  /** The marker keys, one at most an instance. */
  public List<StoreKey> markers() {
    return List.copyOf(markers.keySet());
  }

  /** Sends the intent to every instance; completes when Kafka has acknowledged them all. */
  public CompletionStage<Void> publishIntent() {
    return toEveryInstance(
        (instance, relation) ->
            publisher.publish(instance, Intents.intent(this, instance, relation, options)));
  }

  /**
   * Writes one key of the write set; never fails, but says what became of it.
   *
   * @throws IllegalArgumentException if the key is not in the write set
   */
  public CompletionStage<KeyResult> write(StoreKey key) {
    CompletionStage<KeyResult> result =
        write(key, (write, v, t) -> sides.write(write, write.stamp(v, t)));
    return result.thenApply(r -> remember(key, r));
  }

  /** Writes every key, all at once. */
  public CompletionStage<Map<StoreKey, KeyResult>> writeAll() {
    return Stages.all(plan.writes().stream().map(w -> write(w.key())).toList())
        .thenApply(done -> results(writes.keySet()));
  }

  /** Writes every marker; never fails, but says what became of them. */
  public CompletionStage<Map<StoreKey, KeyResult>> writeMarkers() {
    List<CompletionStage<KeyResult>> written = new ArrayList<>(1);
    markers.forEach(
        (key, relation) -> {
          MarkerConfig marker = relation.marker();
          written.add(
              sides.mark(key, marker.ttl(), marker.fenced()).thenApply(r -> remember(key, r)));
        });
    return Stages.all(written).thenApply(done -> results(markers.keySet()));
  }

  /** Says to every instance what has become of each key so far; not tried is unknown. */
  public CompletionStage<Void> publishDone() {
    List<WriteResult> said = new ArrayList<>(writes.size());
    results(writes.keySet())
        .forEach(
            (key, result) ->
                said.add(
                    WriteResult.newBuilder()
                        .setStore(key.store())
                        .setKey(key.key().toBuffer())
                        .setResult(result.status().kind())
                        .build()));
    return toEveryInstance(
        (instance, relation) -> {
          Stamp stamp = KeyWrite.stamp(relation, version, token);
          Optional<KeyResult> marker = relation.markerOf(instance, token).map(results::get);
          return publisher.publish(
              instance,
              Done.newBuilder()
                  .setToken(stamp.token().toBuffer())
                  .setVersion(stamp.version())
                  .setResults(said)
                  .setMarker(marker.map(r -> r.status().kind()).orElse(null))
                  .build());
        });
  }

  /** What has become of it so far. */
  public WriteReport report() {
    return new WriteReport(token, version, results(writes.keySet()), results(markers.keySet()));
  }

  String traceparent() {
    return traceparent;
  }

  /** True if every key stands as asked, or something newer does. */
  boolean sidesStand() {
    return results(writes.keySet()).values().stream().allMatch(r -> r.status().ok());
  }

  private Map<StoreKey, KeyResult> results(Iterable<StoreKey> keys) {
    Map<StoreKey, KeyResult> found = new LinkedHashMap<>();
    keys.forEach(key -> found.put(key, results.getOrDefault(key, KeyResult.UNTRIED)));
    return found;
  }

  private KeyResult remember(StoreKey key, KeyResult result) {
    results.put(key, result);
    return result;
  }

  private interface OnWrite<T> {
    T apply(KeyWrite write, Long version, Bytes token);
  }

  private <T> T write(StoreKey key, OnWrite<T> action) {
    KeyWrite write = writes.get(key);
    if (write == null) {
      throw new IllegalArgumentException(key + " is not written by this transaction");
    }
    return action.apply(write, version, token);
  }

  private <T> CompletionStage<Void> toEveryInstance(
      BiFunction<String, RelationConfig, CompletionStage<T>> send) {
    if (publisher == null) {
      return CompletableFuture.failedStage(
          new IllegalStateException("this writer was made without a publisher of intents"));
    }
    List<CompletionStage<T>> sent = new ArrayList<>(plan.instances().size());
    plan.instances().forEach((instance, relation) -> sent.add(send.apply(instance, relation)));
    return Stages.all(sent).thenApply(all -> null);
  }
}
