package dev.restitch.sandbox.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.restitch.avro.Outcome;
import dev.restitch.avro.RepairCommand;
import dev.restitch.avro.RepairOutcome;
import dev.restitch.kafka.KafkaClients;
import dev.restitch.registry.SchemaRegistries;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.sandbox.server.Lifetime;
import dev.restitch.sandbox.server.RedisProcess;
import dev.restitch.serde.TopicDeserializer;
import dev.restitch.topic.Topic;
import dev.restitch.topic.Topics;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/**
 * Tears go on while worker and auditor are killed at every stage of a repair, scripts are flushed,
 * Kafka, the truth and a primary are lost: in the end every instance is whole and true, no newer
 * write is lost, and every command was answered. {@code -Drestitch.tears=N} and {@code
 * -Drestitch.kills=N} make it longer.
 */
class RepairChaosIT {

  private static final int TEARS = Integer.getInteger("restitch.tears", 600);
  private static final int KILLS = Integer.getInteger("restitch.kills", 2);
  private static final int RATE = Integer.getInteger("restitch.tear-rate", 20);
  private static final long SEED = Long.getLong("restitch.seed", 1);

  /** Longer than from a command to its last write. */
  private static final long STAGE_MILLIS = 1_500;

  @Test
  void shouldEndWholeAndTrueWhateverIsKilledMeanwhile() throws Exception {
    try (Lifetime lifetime = Lifetime.begin()) {
      RepairWorld world = new RepairWorld(lifetime);
      TornLoad load = new TornLoad(world, TEARS, RATE, SEED);
      load.prepare();
      world.startAuditor();
      world.startWorker();
      await().atMost(Duration.ofSeconds(90)).until(world::ready);
      load.start();

      for (int i = 0; i < KILLS; i++) {
        pause(500 + ThreadLocalRandom.current().nextInt(1_000));
        killWorker(world);
      }
      killWorkerBeforeItMintsOrWritesTheFirstSide(world);
      killWorkerBetweenTheTwoWrites(world);
      flushScripts(world);
      for (int i = 0; i < KILLS; i++) {
        pause(500 + ThreadLocalRandom.current().nextInt(1_000));
        world.killAuditor();
        world.startAuditor();
      }
      killWorkerBeforeItsOutcomeIsTold(world);
      loseTheTruth(world);
      killAPrimaryBetweenTheTwoWrites(world);
      load.stop();

      shouldBeWholeAndTrue(world, load);
      shouldHaveAnsweredEveryCommand(world, lifetime, load);
    }
  }

  private static void pause(long millis) throws InterruptedException {
    Thread.sleep(millis); // lets the load go on
  }

  private static void killWorker(RepairWorld world) throws Exception {
    world.killWorker();
    world.startWorker();
  }

  /** The version counter and one side of everything lie there: nothing gets past it. */
  private static void killWorkerBeforeItMintsOrWritesTheFirstSide(RepairWorld world)
      throws Exception {
    world.east.clientPause(STAGE_MILLIS);
    pause(STAGE_MILLIS - 200);
    killWorker(world);
  }

  /** Minted, the intent told, one side written, the other not. */
  private static void killWorkerBetweenTheTwoWrites(RepairWorld world) throws Exception {
    holdTheCluster(world);
    pause(STAGE_MILLIS - 200);
    killWorker(world);
  }

  private static void holdTheCluster(RepairWorld world) {
    for (RedisProcess node : world.cluster.nodes()) {
      withNode(node, commands -> commands.clientPause(STAGE_MILLIS));
    }
  }

  private static void flushScripts(RepairWorld world) throws Exception {
    for (int i = 0; i < 3; i++) {
      world.east.scriptFlush();
      for (RedisProcess node : world.cluster.nodes()) {
        withNode(node, RedisCommands::scriptFlush);
      }
      pause(500);
    }
  }

  /** What was written cannot be told: Kafka is away, and then so is the worker. */
  private static void killWorkerBeforeItsOutcomeIsTold(RepairWorld world) throws Exception {
    world.kafka.kill();
    pause(STAGE_MILLIS);
    world.killWorker();
    world.kafka.restart();
    world.startWorker();
    pause(STAGE_MILLIS);
  }

  private static void loseTheTruth(RepairWorld world) throws Exception {
    world.truthProxy.refuse();
    world.truthProxy.cut();
    pause(2 * STAGE_MILLIS);
    world.truthProxy.allow();
  }

  private static void killAPrimaryBetweenTheTwoWrites(RepairWorld world) throws Exception {
    holdTheCluster(world);
    pause(STAGE_MILLIS / 3);
    RedisProcess primary = world.cluster.nodes().get(0);
    RedisProcess replica = world.cluster.nodes().get(3);
    primary.kill();
    await().atMost(Duration.ofSeconds(60)).until(() -> role(replica).contains("role:master"));
  }

  private static String role(RedisProcess node) {
    String[] role = {""};
    withNode(node, commands -> role[0] = commands.info("replication"));
    return role[0];
  }

  private interface NodeWork {
    void on(RedisCommands<String, String> commands);
  }

  private static void withNode(RedisProcess node, NodeWork work) {
    if (node.alive()) {
      try (RedisClient client = RedisClient.create(node.uri())) {
        work.on(client.connect().sync());
      }
    }
  }

  private static void shouldBeWholeAndTrue(RepairWorld world, TornLoad load) throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(180).toNanos();
    List<String> wrong = load.wrong();
    while ((!wrong.isEmpty() || world.openIncidents() != 0) && System.nanoTime() < deadline) {
      pause(500);
      wrong = load.wrong();
    }
    assertThat(wrong).as("%s%n%s", world.outputs(), world.incidents()).isEmpty();
    assertThat(world.openIncidents()).as(world.incidents()).isZero();
    assertThat(load.torn()).isGreaterThan(100);
  }

  private static void shouldHaveAnsweredEveryCommand(
      RepairWorld world, Lifetime lifetime, TornLoad load) throws Exception {
    SchemaRegistry registry = SchemaRegistries.open(world.config.registry());
    Set<String> commands = new TreeSet<>();
    for (RepairCommand command : all(world, lifetime, registry, Topics.REPAIRS)) {
      commands.add(command.getId() + " " + command.getAttempt());
    }
    Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
    for (RepairOutcome outcome : all(world, lifetime, registry, Topics.OUTCOMES)) {
      commands.remove(outcome.getCommand() + " " + outcome.getAttempt());
      outcomes.merge(outcome.getOutcome(), 1, Integer::sum);
    }
    System.out.printf("torn %d, outcomes %s%n", load.torn(), outcomes);
    assertThat(commands).as("commands without an outcome").isEmpty();
    assertThat(outcomes.keySet()).contains(Outcome.APPLIED);
    assertThat(outcomes).doesNotContainKey(Outcome.FAILED);
  }

  private static <V extends SpecificRecord> List<V> all(
      RepairWorld world, Lifetime lifetime, SchemaRegistry registry, Topic<V> topic) {
    String name = topic.name(world.config.topics());
    TopicDeserializer<V> values = new TopicDeserializer<>(registry, topic);
    List<V> all = new ArrayList<>();
    Consumer<String, byte[]> consumer =
        lifetime.own(KafkaClients.consumer(world.config, "test-" + name, null));
    List<TopicPartition> partitions =
        consumer.partitionsFor(name).stream()
            .map(p -> new TopicPartition(p.topic(), p.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
      consumer
          .poll(Duration.ofMillis(200))
          .forEach(record -> all.add(values.deserialize(name, record.value())));
    }
    return all;
  }
}
