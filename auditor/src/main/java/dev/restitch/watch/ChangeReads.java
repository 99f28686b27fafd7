package dev.restitch.watch;

import dev.restitch.avro.EvidenceSource;
import dev.restitch.avro.KeyState;
import dev.restitch.avro.Observation;
import dev.restitch.avro.Reading;
import dev.restitch.config.Relations.Side;
import dev.restitch.model.Bytes;
import dev.restitch.read.LastStep;
import dev.restitch.store.StoreNode;
import dev.restitch.store.StorePipeline;
import dev.restitch.topic.Topics;
import dev.restitch.watch.KeyQueue.Cause;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Turns one node's key events into observations: looks the side up, reads it, publishes what it
 * reads. The events only queue; whoever comes first starts the pump, which asks for all that waits
 * and sends it together, so that the batches grow with the load. Never blocks.
 */
final class ChangeReads {

  private static final int READS_AT_ONCE = 1_024;
  private static final int ATTEMPTS = 4;
  private static final long RETRY_MILLIS = 50;

  /** What our own reads of absent keys raise, where the server is told to; an echo if followed. */
  private static final String KEY_MISS = "keymiss";

  private final String store;
  private final StoreNode node;
  private final Surroundings around;
  private final Consumer<String> missed;
  private final KeyQueue queue;
  private final StorePipeline pipeline;
  private final AtomicInteger wanted = new AtomicInteger();
  private final LongAdder reads = new LongAdder();

  /**
   * For one node.
   *
   * @param missed told why, whenever a notification came to nothing
   */
  ChangeReads(String store, StoreNode node, Surroundings around, Consumer<String> missed) {
    this.store = store;
    this.node = node;
    this.around = around;
    this.missed = missed;
    int limit = around.limit();
    this.queue = new KeyQueue(limit, Math.min(limit, READS_AT_ONCE));
    this.pipeline = node.openPipeline();
  }

  KeyQueue queue() {
    return queue;
  }

  /** How many readings were asked for, repeated ones too. */
  long reads() {
    return reads.sum();
  }

  /** Lets the connection for readings go. */
  void close() {
    pipeline.close();
  }

  /** A key of the store had this event; empty: the event is of no key. */
  void changed(Optional<Bytes> key, byte[] eventName) {
    String event = new String(eventName, StandardCharsets.UTF_8);
    Optional<Side> side = key.flatMap(k -> around.relations().resolve(store, k));
    if (side.isEmpty() || event.equals(KEY_MISS)) {
      queue.filter();
      return;
    }
    switch (queue.receive(side.get(), event)) {
      case QUEUED -> readWaiting();
      case JOINED -> {
        // it is read after this change anyway
      }
      case DROPPED -> missed.accept("overflow");
    }
  }

  /** Starts the pump, or lets it know that there is more. */
  private void readWaiting() {
    if (wanted.getAndIncrement() == 0) {
      try {
        around.pump().execute(this::pump);
      } catch (RejectedExecutionException closing) {
        wanted.set(0);
      }
    }
  }

  private void pump() {
    int seen = wanted.get();
    while (seen != 0) {
      boolean any = false;
      for (Optional<Side> side = queue.next(); side.isPresent(); side = queue.next()) {
        read(side.get(), 1);
        any = true;
      }
      if (any) {
        pipeline.flush();
      }
      seen = wanted.addAndGet(-seen);
    }
  }

  private void read(Side side, int attempt) {
    reads.increment();
    LastStep.of(
        attempt == 1 ? around.reader().read(side, node, pipeline) : around.reader().read(side),
        (reading, none) -> {
          if (reading.getState() != KeyState.UNREADABLE) {
            publish(side, reading);
          } else if (attempt >= ATTEMPTS || !readLater(side, attempt)) {
            giveUp(side);
          }
        });
  }

  private boolean readLater(Side side, int attempt) {
    try {
      ScheduledFuture<?> unused =
          around
              .timer()
              .schedule(
                  () -> read(side, attempt + 1), RETRY_MILLIS << attempt, TimeUnit.MILLISECONDS);
      return true;
    } catch (RejectedExecutionException closing) {
      return false;
    }
  }

  private void publish(Side side, Reading reading) {
    Cause cause = queue.cause(side);
    boolean lost = reading.getState() == KeyState.ABSENT && cause.loss() != null;
    Observation observation =
        Observation.newBuilder()
            .setReading(reading)
            .setEvent(lost ? cause.loss() : cause.event())
            .setSource(EvidenceSource.NOTIFICATION)
            .setNode(node.id())
            .setObservedAtMillis(around.clock().millis())
            .build();
    // handed on before the key may be read again, so that its observations keep their order
    LastStep.of(
        around
            .outbox()
            .send(Topics.OBSERVATIONS.name(around.topics()), side.instance(), observation),
        (done, failure) -> {
          if (failure == null) {
            queue.published(cause);
          } else {
            queue.failed(cause);
            missed.accept("unpublished");
          }
        });
    queue.finish(side);
    readWaiting();
  }

  private void giveUp(Side side) {
    queue.failed(queue.cause(side));
    missed.accept("unreadable");
    queue.finish(side);
    readWaiting();
  }
}
