package dev.restitch.sandbox.simulation;

import dev.restitch.avro.Policy;
import dev.restitch.avro.RepairCommand;
import dev.restitch.control.ControlBook;
import dev.restitch.topic.Topic;
import dev.restitch.worker.command.WorkerBench;
import dev.restitch.worker.guard.Guard;
import dev.restitch.worker.guard.Limits;
import dev.restitch.worker.guard.RatePermits;
import dev.restitch.worker.policy.RepairPolicy;
import io.lettuce.core.RedisConnectionException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/** A process that repairs: all real but its connections. */
final class Worker extends Actor {

  private static final String REPAIRS = "repairs";

  private final World world;
  private final WorkerBench bench;
  private final Map<Policy, RepairPolicy> policies;
  private final Map<String, Wire> wires = new LinkedHashMap<>();
  private final Wire kafka;
  private final Map<Integer, Long> positions = new HashMap<>();

  Worker(String name, World world) {
    super(name);
    this.world = world;
    double faults = world.plan.faults();
    for (String store : world.stores.keySet()) {
      wires.put(
          store,
          new Wire(
              world.scheduler,
              this,
              world.network,
              () -> new RedisConnectionException("connection reset"),
              faults));
    }
    this.kafka =
        new Wire(
            world.scheduler,
            this,
            world.network,
            () -> new TimeoutException("not acknowledged"),
            faults);
    RatePermits permits =
        new RatePermits(
            new Limits(new ControlBook(), () -> 1.0),
            () -> world.scheduler.now() * 1_000_000,
            delay -> world.scheduler.after(this, delay));
    this.policies = new Policies(world, this, wires, permits, this::send).all();
    this.bench =
        new WorkerBench(
            new WorkerBench.Parts(
                name,
                world.relations,
                policies,
                new Guard(new ControlBook(), false),
                permits,
                delay -> world.scheduler.after(this, delay),
                world.scheduler.clock(),
                world.scheduler.random::nextDouble,
                this::send,
                world.letters,
                (topic, bytes) -> command(bytes)));
  }

  RepairPolicy policy(Policy policy) {
    return policies.get(policy);
  }

  private RepairCommand command(byte[] bytes) {
    ByteBuffer place = ByteBuffer.wrap(bytes);
    return world.group.log(place.getInt()).get(place.getInt());
  }

  private CompletionStage<RecordMetadata> send(
      Topic<?> topic, String instance, SpecificRecord value) {
    return kafka.call(
        () -> "sends " + value.getClass().getSimpleName() + " of " + instance,
        () -> {
          world.append(instance, value, name);
          return null;
        });
  }

  /** A partition is this worker's from now on. */
  void given(int partition, long from) {
    world.scheduler.tell(this, () -> "is given partition " + partition + " from " + from);
    bench.forget(new TopicPartition(REPAIRS, partition));
    positions.put(partition, from);
    more(partition);
  }

  /** It hears that a partition is another's: it commits what it may, and forgets the rest. */
  void revoked(int partition) {
    if (world.group.owner(partition) != this) {
      givesBack(partition);
    }
  }

  void givesBack(int partition) {
    if (positions.remove(partition) != null) {
      world.scheduler.tell(this, () -> "loses partition " + partition);
      commit();
      bench.forget(new TopicPartition(REPAIRS, partition));
    }
  }

  /** There is, or may be, something to fetch. */
  void more(int partition) {
    Long position = positions.get(partition);
    if (position != null && position < world.group.log(partition).size()) {
      world.scheduler.soon(this, () -> fetch(partition));
    }
  }

  private void fetch(int partition) {
    Long position = positions.get(partition);
    if (position == null || position >= world.group.log(partition).size()) {
      return;
    }
    positions.put(partition, position + 1);
    RepairCommand command = world.group.log(partition).get(position.intValue());
    world.scheduler.tell(this, () -> "takes " + Words.shortened(command.getId()));
    byte[] place = ByteBuffer.allocate(8).putInt(partition).putInt(position.intValue()).array();
    bench.take(
        new ConsumerRecord<>(REPAIRS, partition, position, command.getInstance(), place),
        () -> world.scheduler.soon(this, this::commit));
    more(partition);
  }

  private void commit() {
    Map<TopicPartition, OffsetAndMetadata> done = new HashMap<>();
    bench
        .due()
        .forEach(
            (partition, offset) -> {
              if (world.group.commit(partition.partition(), this, offset.offset())) {
                done.put(partition, offset);
              }
            });
    bench.committed(done);
  }

  /** Its process is killed. */
  void kill() {
    world.scheduler.tell(this, () -> "is killed");
    dead = true;
    world.killed.add(name);
    wires.values().forEach(Wire::cut);
    kafka.cut();
  }
}
