package dev.restitch.worker.command;

import dev.restitch.avro.Policy;
import dev.restitch.config.RestitchConfig;
import dev.restitch.kafka.DeadLetters;
import dev.restitch.operations.OperationsJournal;
import dev.restitch.topic.Topics;
import dev.restitch.worker.guard.AttemptFence;
import dev.restitch.worker.guard.Guard;
import dev.restitch.worker.guard.RatePermits;
import dev.restitch.worker.policy.RepairPolicy;
import dev.restitch.writer.io.Outbox;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.Deserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Consumes the topic of repairs, and says what became of each command. Thread-safe. */
public final class CommandService implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(CommandService.class);

  /** In progress at most, and waiting for a second look at most. */
  private static final CommandConsumer.Limits LIMITS = new CommandConsumer.Limits(512, 10_000);

  private static final int INCIDENTS = 100_000;
  private static final int CAPACITY = 20_000;

  private final Outbox outbox;
  private final ThreadPoolExecutor starter = pool("restitch-repair-lanes");
  private final ThreadPoolExecutor letters = pool("restitch-dead-letters");
  private final CommandConsumer consumer;
  private final OutcomeCounts counts = new OutcomeCounts();

  /**
   * What holds repairs back.
   *
   * @param share told of this worker's part of the commands
   */
  public record Restraints(Guard guard, RatePermits permits, PartitionShare share) {}

  /**
   * Builds the service; {@link #start} begins.
   *
   * @param consumer closed with this
   * @param producer of outcomes; stays its owner's
   * @param deadLetters stays its owner's
   * @param timer stays its owner's
   * @param policies what can be carried out
   * @param worker the worker's name, for outcomes and log
   */
  public CommandService(
      RestitchConfig config,
      Consumer<String, byte[]> consumer,
      Deserializer<SpecificRecord> records,
      Producer<String, SpecificRecord> producer,
      DeadLetters deadLetters,
      Timer timer,
      Restraints restraints,
      Map<Policy, RepairPolicy> policies,
      String worker,
      Clock clock) {
    this.outbox = new Outbox(producer, config.topics(), "restitch-outcomes", CAPACITY);
    Retry retry = new Retry(timer::after, clock, () -> ThreadLocalRandom.current().nextDouble());
    CommandRun run =
        new CommandRun(
            config.resolver(),
            policies,
            new AttemptFence(INCIDENTS),
            restraints.guard(),
            restraints.permits(),
            retry,
            counts,
            clock);
    CommandDesk desk =
        new CommandDesk(
            records,
            run,
            new Lanes(starter),
            new Reports(outbox, deadLetters, letters, retry, worker, clock),
            new OperationsLog(new OperationsJournal(clock, worker)),
            timer::after,
            counts);
    this.consumer =
        new CommandConsumer(
            consumer, Topics.REPAIRS.name(config.topics()), desk, LIMITS, restraints.share());
  }

  /** Begins to consume. */
  public void start() {
    consumer.start();
  }

  /** Completes when consuming has ended; fails if it ended by itself, with the reason. */
  public CompletionStage<Void> ended() {
    return consumer.ended();
  }

  /** What came in, and what became of it. */
  public OutcomeCounts counts() {
    return counts;
  }

  /** Stops taking commands, and lets those in progress end for some seconds. Idempotent. */
  @Override
  public void close() {
    consumer.close();
    outbox.close();
    starter.shutdown();
    letters.shutdown();
    log.atInfo().addKeyValue("counts", counts).log("repair worker stopped");
  }

  /** Two threads; what is more than can wait runs on its caller's. */
  private static ThreadPoolExecutor pool(String name) {
    return new ThreadPoolExecutor(
        2,
        2,
        0,
        TimeUnit.SECONDS,
        new ArrayBlockingQueue<>(CAPACITY),
        task -> {
          Thread made = new Thread(task, name);
          made.setDaemon(true);
          return made;
        },
        new ThreadPoolExecutor.CallerRunsPolicy());
  }
}
