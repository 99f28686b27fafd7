package dev.restitch.sandbox.eyes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.restitch.avro.Coverage;
import dev.restitch.avro.Gap;
import dev.restitch.avro.Observation;
import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import dev.restitch.kafka.KafkaClients;
import dev.restitch.model.Bytes;
import dev.restitch.registry.SchemaRegistries;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.sandbox.registry.EmbeddedRegistry;
import dev.restitch.sandbox.server.ChildProcess;
import dev.restitch.sandbox.server.EmbeddedKafka;
import dev.restitch.sandbox.server.JavaCommand;
import dev.restitch.sandbox.server.RedisProcess;
import dev.restitch.sandbox.server.Scratch;
import dev.restitch.serde.ContractSchemas;
import dev.restitch.topic.TopicProvisioner;
import dev.restitch.topic.Topics;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two auditors that share the primaries of one sharded store, one of them killed under load. */
class SharedWatchIT {

  private static final int SHARDS = 6;

  private final Scratch scratch = Scratch.create("restitch-shared-watch-");
  private final List<RedisProcess> shards = new ArrayList<>();
  private final List<RedisClient> clients = new ArrayList<>();
  private final Map<String, RedisCommands<byte[], byte[]>> servers = new LinkedHashMap<>();
  private final Map<String, ChildProcess> auditors = new HashMap<>();
  private EmbeddedKafka kafka;
  private EmbeddedRegistry registryServer;
  private Path file;
  private TopicTail<Coverage> marks;
  private TopicTail<Gap> gaps;
  private TopicTail<Observation> observations;

  @BeforeEach
  void open() throws Exception {
    Awaitility.setDefaultTimeout(Duration.ofSeconds(40));
    kafka = EmbeddedKafka.start(scratch);
    registryServer = EmbeddedRegistry.start();
    for (int i = 0; i < SHARDS; i++) {
      RedisProcess shard = RedisProcess.start(scratch);
      shards.add(shard);
      RedisClient client = RedisClient.create(shard.uri());
      clients.add(client);
      servers.put("127.0.0.1:" + shard.port(), client.connect(ByteArrayCodec.INSTANCE).sync());
    }
    String yaml =
        """
        kafka:
          bootstrap.servers: "%s"
          consumer.session.timeout.ms: 6000
          consumer.heartbeat.interval.ms: 1000
        registry: { url: "%s" }
        stores:
          east: { uris: [%s], sharding: crc32 }
        relations:
          user:
            sides: { profile: { store: east, key: "user:{id}" } }
            stamp: "{version}:{token}:{payload}"
            version: { order: counter }
            writes: some
        topics: { partitions: 32 }
        """
            .formatted(
                kafka.bootstrapServers(),
                registryServer.url(),
                String.join(", ", shards.stream().map(s -> '"' + s.uri() + '"').toList()));
    file = Files.writeString(scratch.dir().resolve("restitch.yaml"), yaml);
    RestitchConfig config = ConfigLoader.parse(yaml, Map.of());
    SchemaRegistry registry = SchemaRegistries.open(config.registry());
    try (Admin admin = KafkaClients.admin(config)) {
      TopicProvisioner.ensure(admin, config.topics());
    }
    ContractSchemas.register(registry, config.topics());
    marks = new TopicTail<>(config, registry, Topics.COVERAGE);
    gaps = new TopicTail<>(config, registry, Topics.GAPS);
    observations = new TopicTail<>(config, registry, Topics.OBSERVATIONS);
  }

  @AfterEach
  void close() {
    Awaitility.reset();
    Stream.of(marks, gaps, observations).forEach(TopicTail::close);
    auditors.values().forEach(ChildProcess::kill);
    clients.forEach(client -> client.shutdown(Duration.ZERO, Duration.ofSeconds(1)));
    shards.forEach(RedisProcess::close);
    registryServer.close();
    kafka.close();
    scratch.close();
  }

  private void launch(String name) throws Exception {
    auditors.put(
        name,
        ChildProcess.start(
            name,
            List.of(
                JavaCommand.java(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx192m",
                "-cp",
                System.getProperty("java.class.path"),
                WatcherProcess.class.getName(),
                file.toString(),
                name),
            Map.of(),
            scratch.newFolder(name),
            scratch.dir().resolve(name + ".log")));
  }

  /** The last word on every node, and who said it. */
  private Map<String, Coverage> last() {
    Map<String, Coverage> last = new HashMap<>();
    marks.read().forEach(mark -> last.put(mark.getNode(), mark));
    return last;
  }

  private Set<String> nodesOf(String owner) {
    return last().values().stream()
        .filter(mark -> mark.getOwner().equals(owner) && mark.getSubscribed())
        .map(Coverage::getNode)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void shouldTakeOverTheNodesOfADeadAuditorFromWhereItCovered() throws Exception {
    launch("first");
    await().until(() -> nodesOf("first").equals(servers.keySet()));
    launch("second");
    await()
        .until(
            () ->
                nodesOf("second").size() + nodesOf("first").size() == SHARDS
                    && !nodesOf("second").isEmpty());
    Set<String> orphans = nodesOf("second");
    Set<String> others = nodesOf("first");
    long joined = System.currentTimeMillis();
    await()
        .until(
            () ->
                last().values().stream().allMatch(m -> m.getCoveredThroughMillis() > joined)
                    && gaps.read().size() >= 32 * (SHARDS + orphans.size()));

    Map<String, Long> written = new HashMap<>();
    Map<String, String> holders = new HashMap<>();
    int keys = write(0, written, holders);
    auditors.get("second").kill();
    long killed = System.currentTimeMillis();
    keys = write(keys, written, holders);
    await()
        .until(
            () ->
                nodesOf("first").equals(servers.keySet())
                    && !gapsOfTakeover(orphans, killed).isEmpty());
    write(keys, written, holders);

    List<Gap> takeover =
        await()
            .until(
                () -> gapsOfTakeover(orphans, killed), told -> told.size() == 32 * orphans.size());
    Map<String, Gap> byNode =
        takeover.stream().collect(Collectors.toMap(Gap::getNode, gap -> gap, (a, b) -> a));
    assertThat(byNode.keySet()).isEqualTo(orphans);
    assertThat(byNode.values())
        .allSatisfy(
            gap -> {
              assertThat(gap.getWhy()).isEqualTo("takeover");
              assertThat(gap.getFromMillis()).isGreaterThan(joined).isLessThan(killed);
              assertThat(gap.getToMillis()).isGreaterThan(killed);
            });
    assertThat(gaps.read())
        .noneMatch(g -> others.contains(g.getNode()) && g.getToMillis() > killed);
    await().untilAsserted(() -> assertThat(unexplained(written, holders, byNode)).isEmpty());
    assertThat(last().values())
        .allSatisfy(
            mark ->
                assertThat(mark.getReceived())
                    .isEqualTo(
                        mark.getPublished()
                            + mark.getCoalesced()
                            + mark.getFiltered()
                            + mark.getDeadLettered()
                            + mark.getPending()));
  }

  private List<Gap> gapsOfTakeover(Set<String> nodes, long after) {
    return gaps.read().stream()
        .filter(gap -> nodes.contains(gap.getNode()) && gap.getToMillis() > after)
        .toList();
  }

  /** Writes to every shard; remembers when each key was written at the earliest. */
  private int write(int from, Map<String, Long> written, Map<String, String> holders) {
    int key = from;
    for (int round = 0; round < 200; round++) {
      for (Map.Entry<String, RedisCommands<byte[], byte[]>> server : servers.entrySet()) {
        String name = "user:" + key++;
        written.put(name, System.currentTimeMillis());
        holders.put(name, server.getKey());
        server.getValue().set(name.getBytes(UTF_8), (key + ":t" + key + ":x").getBytes(UTF_8));
      }
    }
    return key;
  }

  /** Keys that were neither observed, nor written within the gap of the node that holds them. */
  private List<String> unexplained(
      Map<String, Long> written, Map<String, String> holders, Map<String, Gap> byNode) {
    Set<String> seen =
        observations.read().stream()
            .map(o -> new String(Bytes.copyOf(o.getReading().getKey()).toArray(), UTF_8))
            .collect(Collectors.toSet());
    return written.keySet().stream()
        .filter(key -> !seen.contains(key))
        .filter(
            key -> {
              Gap gap = byNode.get(holders.get(key));
              return gap == null
                  || written.get(key) < gap.getFromMillis()
                  || written.get(key) > gap.getToMillis();
            })
        .toList();
  }
}
