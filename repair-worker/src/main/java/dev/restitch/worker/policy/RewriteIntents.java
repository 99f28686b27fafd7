package dev.restitch.worker.policy;

import dev.restitch.avro.Done;
import dev.restitch.avro.ResultKind;
import dev.restitch.avro.Write;
import dev.restitch.avro.WriteOp;
import dev.restitch.avro.WriteResult;
import dev.restitch.avro.WriterRef;
import dev.restitch.model.Bytes;
import dev.restitch.model.StoreKey;
import dev.restitch.topic.Topics;
import dev.restitch.worker.apply.Change;
import dev.restitch.writer.Intents;
import dev.restitch.writer.io.RecordSender;
import dev.restitch.writer.io.Stages;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the judge of the worker's own transactions, as any writer does. Thread-safe. */
public final class RewriteIntents {

  private static final Logger log = LoggerFactory.getLogger(RewriteIntents.class);
  private static final String APPLICATION = "restitch-repair-worker";

  private final RecordSender outbox;
  private final WriterRef writer;
  private final Clock clock;

  /**
   * @param outbox stays its owner's
   * @param worker the worker's name
   */
  public RewriteIntents(RecordSender outbox, String worker, Clock clock) {
    this.outbox = outbox;
    this.clock = clock;
    this.writer = WriterRef.newBuilder().setApplication(APPLICATION).setHost(worker).build();
  }

  /** Publishes the intent; completes when Kafka has it. */
  CompletionStage<Void> announce(RepairOrder order, Rewrite.Plan plan) {
    List<StoreKey> keys = order.sides();
    List<Optional<Bytes>> digests = plan.truth().digests();
    List<Write> writes = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      Optional<Bytes> digest = digests.get(i);
      writes.add(
          Write.newBuilder()
              .setStore(keys.get(i).store())
              .setKey(keys.get(i).key().toBuffer())
              .setOp(digest.isPresent() ? WriteOp.PUT : WriteOp.DELETE)
              .setDigest(digest.map(Bytes::toBuffer).orElse(null))
              .build());
    }
    return outbox
        .send(
            Topics.INTENTS,
            order.instance(),
            Intents.intent(
                order.relation(),
                order.instance(),
                plan.stamp(),
                plan.token(),
                writes,
                writer,
                clock.millis()))
        .thenApply(acknowledged -> null);
  }

  /** Says what became of each key; a loss is logged, since the judge can do without. */
  void done(RepairOrder order, Rewrite.Plan plan, List<Change> changes) {
    List<WriteResult> results = new ArrayList<>(changes.size());
    ResultKind marker = null;
    for (Change change : changes) {
      ResultKind kind = change.kind() == Change.Kind.CONFLICT ? ResultKind.FAILED : ResultKind.OK;
      if (order.sides().contains(change.key())) {
        results.add(
            WriteResult.newBuilder()
                .setStore(change.key().store())
                .setKey(change.key().key().toBuffer())
                .setResult(kind)
                .build());
      } else {
        marker = kind;
      }
    }
    outbox
        .send(
            Topics.INTENTS,
            order.instance(),
            Done.newBuilder()
                .setToken(plan.stamp().token().toBuffer())
                .setVersion(plan.stamp().version())
                .setResults(results)
                .setMarker(marker)
                .build())
        .whenComplete(
            (metadata, failure) -> {
              if (failure != null) {
                log.atWarn()
                    .addKeyValue("instance", order.instance())
                    .addKeyValue("error", Stages.cause(failure).toString())
                    .log("done was not acknowledged");
              }
            });
  }
}
