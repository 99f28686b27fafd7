package dev.restitch.brake;

import dev.restitch.avro.Tally;
import dev.restitch.config.TopicsConfig;
import dev.restitch.control.ControlDesk;
import dev.restitch.topic.Topics;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has the brake looked at, tells other auditors what this one found, and tidies up. */
public final class BrakeService implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(BrakeService.class);
  private static final long TICK_MILLIS = 250;
  private static final int TICKS_A_TALLY = 4;
  private static final int TICKS_A_TIDY = 240;

  private final BrakeKeeper keeper;
  private final TornShares shares;
  private final SettledControls settled;
  private final ControlDesk desk;
  private final Producer<String, SpecificRecord> producer;
  private final String topic;
  private final ScheduledExecutorService timer;
  private boolean toldSomething;
  private long ticks;

  /**
   * @param producer stays its owner's
   */
  public BrakeService(
      BrakeKeeper keeper,
      TornShares shares,
      SettledControls settled,
      ControlDesk desk,
      Producer<String, SpecificRecord> producer,
      TopicsConfig topics) {
    this.keeper = keeper;
    this.shares = shares;
    this.settled = settled;
    this.desk = desk;
    this.producer = producer;
    this.topic = Topics.TALLIES.name(topics);
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread made = new Thread(task, "restitch-brake");
              made.setDaemon(true);
              return made;
            });
  }

  /** Begins. */
  public void start() {
    ScheduledFuture<?> unused =
        timer.scheduleWithFixedDelay(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void tick() {
    try {
      ticks++;
      if (ticks % TICKS_A_TALLY == 0) {
        tell();
      }
      keeper.tick();
      if (ticks % TICKS_A_TIDY == 0) {
        settled.keys().forEach(desk::forget);
      }
    } catch (RuntimeException e) {
      log.atWarn().addKeyValue("error", e.toString()).log("the brake could not be looked after");
    }
  }

  private void tell() {
    Tally tally = shares.own();
    boolean something = !tally.getShares().isEmpty();
    if (something || toldSomething) {
      producer.send(
          new ProducerRecord<>(topic, tally.getAuditor(), tally),
          (where, failure) -> {
            if (failure != null) {
              log.atWarn()
                  .addKeyValue("error", failure.toString())
                  .log("other auditors could not be told what was found torn");
            }
          });
    }
    toldSomething = something;
  }

  /** Idempotent. */
  @Override
  public void close() {
    timer.shutdownNow();
    try {
      if (!timer.awaitTermination(5, TimeUnit.SECONDS)) {
        log.atWarn().log("the brake did not stop in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
