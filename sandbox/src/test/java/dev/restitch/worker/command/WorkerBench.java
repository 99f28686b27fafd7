package dev.restitch.worker.command;

import dev.restitch.avro.Policy;
import dev.restitch.config.Relations;
import dev.restitch.kafka.DeadLetters;
import dev.restitch.operations.OperationsJournal;
import dev.restitch.worker.guard.AttemptFence;
import dev.restitch.worker.guard.Guard;
import dev.restitch.worker.guard.RatePermits;
import dev.restitch.worker.policy.RepairPolicy;
import dev.restitch.writer.io.RecordSender;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;

/** All of a worker between its consumer and its policies, without a thread of its own. */
public final class WorkerBench {

  /** What a simulation gives it. */
  public record Parts(
      String name,
      Relations relations,
      Map<Policy, RepairPolicy> policies,
      Guard guard,
      RatePermits permits,
      Function<Duration, Executor> after,
      Clock clock,
      DoubleSupplier random,
      RecordSender outcomes,
      DeadLetters letters,
      Deserializer<SpecificRecord> records) {}

  private final OutcomeCounts counts = new OutcomeCounts();
  private final OffsetTracker offsets = new OffsetTracker();
  private final CommandDesk desk;

  public WorkerBench(Parts parts) {
    Retry retry = new Retry(parts.after(), parts.clock(), parts.random());
    CommandRun run =
        new CommandRun(
            parts.relations(),
            parts.policies(),
            new AttemptFence(1000),
            parts.guard(),
            parts.permits(),
            retry,
            counts,
            parts.clock());
    this.desk =
        new CommandDesk(
            parts.records(),
            run,
            new Lanes(Runnable::run),
            new Reports(
                parts.outcomes(),
                parts.letters(),
                Runnable::run,
                retry,
                parts.name(),
                parts.clock()),
            new OperationsLog(new OperationsJournal(parts.clock(), parts.name())),
            parts.after(),
            counts);
  }

  public OutcomeCounts counts() {
    return counts;
  }

  /** As the consumer takes it. */
  public void take(ConsumerRecord<String, byte[]> message, Runnable finished) {
    TopicPartition partition = new TopicPartition(message.topic(), message.partition());
    long offset = message.offset();
    offsets.begin(partition, offset);
    desk.take(
        message,
        () -> offsets.holds(partition, offset),
        () -> {
          offsets.end(partition, offset);
          finished.run();
        });
  }

  public Map<TopicPartition, OffsetAndMetadata> due() {
    return offsets.due();
  }

  public void committed(Map<TopicPartition, OffsetAndMetadata> committed) {
    offsets.committed(committed);
  }

  public void forget(TopicPartition partition) {
    offsets.forget(List.of(partition));
  }
}
