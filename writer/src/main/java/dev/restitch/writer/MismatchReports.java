package dev.restitch.writer;

import dev.restitch.avro.EvidenceSource;
import dev.restitch.avro.KeyState;
import dev.restitch.avro.Observation;
import dev.restitch.avro.Reading;
import dev.restitch.config.RelationConfig;
import dev.restitch.model.Bytes;
import dev.restitch.topic.Topics;
import dev.restitch.writer.io.Outbox;
import dev.restitch.writer.io.Stages;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the audit what a reader saw, one observation a side; at most one report an instance each
 * settle time, since one suspicion is as good as a thousand. Thread-safe; never blocks. Never tells
 * a payload.
 */
final class MismatchReports {

  private static final Logger log = LoggerFactory.getLogger(MismatchReports.class);
  private static final int INSTANCES = 10_000;

  private final Outbox outbox;
  private final Clock clock;
  private final LongSupplier nanos;
  private final ReportPace pace = new ReportPace(INSTANCES);
  private final AtomicBoolean failing = new AtomicBoolean();

  /**
   * @param clock for the observer's time, which informs only
   * @param nanos as {@link System#nanoTime}
   */
  MismatchReports(Outbox outbox, Clock clock, LongSupplier nanos) {
    this.outbox = outbox;
    this.clock = clock;
    this.nanos = nanos;
  }

  /** Reports what was read, unless the instance was reported just now; true if it is reported. */
  boolean tell(RelationConfig relation, String instance, List<SideRead> sides) {
    if (!pace.pass(instance, nanos.getAsLong(), relation.settle().toNanos())) {
      return false;
    }
    long now = clock.millis();
    for (SideRead side : sides) {
      if (side.state() != SideState.UNREADABLE) {
        send(instance, observation(relation, side, now));
      }
    }
    return true;
  }

  private void send(String instance, Observation observation) {
    outbox
        .send(Topics.OBSERVATIONS, instance, observation)
        .whenComplete(
            (metadata, failure) -> {
              if (failure == null) {
                failing.set(false);
              } else if (failing.compareAndSet(false, true)) {
                log.atWarn()
                    .addKeyValue("instance", instance)
                    .addKeyValue("error", Stages.cause(failure).toString())
                    .log("mismatches that readers see do not reach the audit now");
              }
            });
  }

  private static Observation observation(RelationConfig relation, SideRead side, long now) {
    Reading.Builder reading =
        Reading.newBuilder()
            .setStore(side.key().store())
            .setKey(side.key().key().toBuffer())
            .setState(KeyState.valueOf(side.state().name()))
            .setPrimary(side.primary());
    if (side.stamp() != null) {
      reading.setVersion(side.stamp().version());
      if (!side.stamp().token().isEmpty()) {
        reading.setToken(side.stamp().token().toBuffer());
      }
    }
    if (relation.log() && side.stamped()) {
      reading.setTokens(side.tokens().stream().map(Bytes::toBuffer).toList());
    }
    return Observation.newBuilder()
        .setReading(reading.build())
        .setSource(EvidenceSource.READER)
        .setObservedAtMillis(now)
        .build();
  }

  long failed() {
    return outbox.failed();
  }

  void close() {
    outbox.close();
  }
}
