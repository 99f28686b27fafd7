package dev.restitch.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.avro.EvidenceSource;
import dev.restitch.avro.Gap;
import dev.restitch.avro.Incident;
import dev.restitch.avro.IncidentState;
import dev.restitch.avro.KeyState;
import dev.restitch.avro.Observation;
import dev.restitch.avro.Outcome;
import dev.restitch.avro.ProbeRequest;
import dev.restitch.avro.Reading;
import dev.restitch.avro.RepairCommand;
import dev.restitch.avro.RepairOutcome;
import dev.restitch.avro.Snapshot;
import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import dev.restitch.judge.Consistency;
import dev.restitch.judge.Decision;
import dev.restitch.model.Bytes;
import dev.restitch.registry.InMemorySchemaRegistry;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.serde.AvroDeserializer;
import dev.restitch.serde.AvroSerializer;
import dev.restitch.topic.Topic;
import dev.restitch.topic.Topics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JudgeTopologyTest {

  private static final String YAML =
      """
      topics: { partitions: 1 }
      stores:
        east: { uri: "redis://localhost:7001" }
        west: { uri: "redis://localhost:7002" }
      relations:
        conf:
          sides:
            here:  { store: east, key: "conf:{name}", payload: conf }
            there: { store: west, key: "conf:{name}", payload: conf }
          stamp: "{version}:{token}:{payload}"
          version: { order: counter, store: east, key: "conf:{name}:version" }
          repair: [ { policy: accept-newest, regenerate: copy } ]
      """;

  private final RestitchConfig config = ConfigLoader.parse(YAML, Map.of());
  private final SchemaRegistry registry = new InMemorySchemaRegistry();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final ConsistencyBoard board = new ConsistencyBoard().bind(meters, List.of("conf"));
  private final Instant start = Instant.ofEpochMilli(1_790_000_000_000L);

  private final BrakeBoard brake = new BrakeBoard();
  private final AtomicLong wall = new AtomicLong(1_790_000_000_000L);

  @TempDir private Path stateDir;
  private TopologyTestDriver driver;

  @BeforeEach
  void open() {
    Properties p = JudgeStreams.properties(config);
    p.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.AT_LEAST_ONCE);
    p.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:1");
    p.put(StreamsConfig.STATE_DIR_CONFIG, stateDir.toString());
    driver =
        new TopologyTestDriver(
            JudgeTopology.build(config, registry, meters, board, brake, wall::get), p, start);
  }

  @AfterEach
  void close() {
    driver.close();
  }

  @Test
  void shouldKeepTheTopologyThatIsWrittenDown() throws IOException {
    String described =
        JudgeTopology.build(config, registry, meters, board, brake, wall::get)
            .describe()
            .toString();

    assertThat(described).isEqualTo(Files.readString(Path.of("src/test/resources/topology.txt")));
  }

  @Test
  void shouldDeclareCommandAndCloseATear() {
    observe("east", "v2", 2, 100);
    observe("west", "v1", 1, 100);
    pass(2_500);

    ProbeRequest ask = (ProbeRequest) read(Topics.PROBES).get(0);
    assertThat(ask.getKeys()).hasSize(2);
    answer(ask, stamped("east", "v2", 2), stamped("west", "v1", 1));

    Incident declared = (Incident) read(Topics.INCIDENTS).get(0);
    assertThat(declared.getVerdict()).isEqualTo("TORN_MISSING");
    RepairCommand command = (RepairCommand) read(Topics.REPAIRS).get(0);
    assertThat(command.getBehind()).singleElement().matches(k -> k.getStore().equals("west"));

    send(Topics.OUTCOMES, outcome(command));
    pass(500);
    ProbeRequest last = (ProbeRequest) read(Topics.PROBES).get(0);
    answer(last, stamped("east", "v2", 2), stamped("west", "v2", 2));

    List<SpecificRecord> incidents = read(Topics.INCIDENTS);
    Incident closed = (Incident) incidents.get(incidents.size() - 1);
    assertThat(closed.getState()).isEqualTo(IncidentState.REPAIRED);
    assertThat(closed.getId()).isEqualTo(declared.getId());
  }

  @Test
  void shouldProbeAtOnceWhatAReaderReports() {
    Reading seen = stamped("east", "v2", 2);
    input(
        Topics.OBSERVATIONS,
        new Observation(seen, null, EvidenceSource.READER, null, 0L),
        start.plusMillis(100));
    pass(150);

    assertThat(read(Topics.PROBES))
        .singleElement()
        .extracting(probe -> ((ProbeRequest) probe).getReason())
        .isEqualTo("a reader saw stamps disagree");
  }

  @Test
  void shouldKeepTheConsistencyMeasureInItsStore() {
    observe("east", "v2", 2, 100);
    observe("west", "v2", 2, 1_101);

    assertThat(board.of("conf")).isEqualTo(Consistency.of(1, 0, 1, 1, 1));
    assertThat(
            meters
                .get("restitch.consistency.whole")
                .tags("relation", "conf", "within", "15s")
                .gauge()
                .value())
        .isEqualTo(1);
    ConsistencyBoard restarted = new ConsistencyBoard();
    new ConsistencyTally(driver.getKeyValueStore(JudgeProcessor.CONSISTENCY), restarted, "0_0");
    assertThat(restarted.of("conf")).isEqualTo(board.of("conf"));
  }

  @Test
  void shouldGoOnCountingWhereTheStoreWasWhenAnotherHolderOfTheTaskLeaves() {
    observe("east", "v2", 2, 100);
    observe("west", "v2", 2, 200);
    KeyValueStore<String, byte[]> store = driver.getKeyValueStore(JudgeProcessor.CONSISTENCY);
    ConsistencyTally former = new ConsistencyTally(store, board, "0_0");
    ConsistencyTally next = new ConsistencyTally(store, board, "0_0");

    former.close();
    next.count("conf", new Decision.NotWhole());
    next.show();

    assertThat(board.of("conf")).isEqualTo(Consistency.of(2, 1, 1, 1, 1));
  }

  @Test
  void shouldAskAgainWhatAGapMayHaveHidden() {
    observe("east", "v2", 2, 100);
    observe("west", "v2", 2, 100);
    pass(5_000);
    assertThat(read(Topics.PROBES)).isEmpty();

    Gap gap = new Gap("g1", "west", "localhost:7002", 0L, start.toEpochMilli() + 6_000, "test");
    send(Topics.GAPS, gap);
    pass(500);

    assertThat(read(Topics.PROBES)).hasSize(1);
  }

  @Test
  void shouldPutAPoisonRecordIntoTheDeadLetters() {
    String dead = Topics.DEAD_LETTERS.name(config.topics());
    driver
        .createInputTopic(
            Topics.OBSERVATIONS.name(config.topics()),
            new StringSerializer(),
            new org.apache.kafka.common.serialization.ByteArraySerializer())
        .pipeInput("conf/a", new byte[] {1, 2, 3});

    assertThat(
            driver
                .createOutputTopic(
                    dead,
                    new StringDeserializer(),
                    new org.apache.kafka.common.serialization.ByteArrayDeserializer())
                .readRecord()
                .headers()
                .toArray())
        .anyMatch(h -> h.key().equals("restitch.error.message"));
    observe("east", "v1", 1, 10);
    assertThat(meters.counter("restitch.judge.records", "result", "judged").count()).isEqualTo(1);
  }

  private void pass(long millis) {
    tick(25); // the first one only sees that no record came since the last
    tick(millis - 25);
  }

  private void tick(long millis) {
    wall.addAndGet(millis);
    driver.advanceWallClockTime(Duration.ofMillis(millis));
  }

  private void observe(String store, String token, long version, long atMillis) {
    Observation o =
        new Observation(
            stamped(store, token, version), "set", EvidenceSource.NOTIFICATION, null, 0L);
    input(Topics.OBSERVATIONS, o, start.plusMillis(atMillis));
  }

  private void answer(ProbeRequest ask, Reading... sides) {
    send(
        Topics.SNAPSHOTS,
        new Snapshot(
            ask.getInstance(),
            ask.getSeq(),
            ask.getAskedAtMillis(),
            EvidenceSource.PROBE,
            true,
            List.of(sides),
            0L));
  }

  private static RepairOutcome outcome(RepairCommand command) {
    return RepairOutcome.newBuilder()
        .setCommand(command.getId())
        .setIncident(command.getIncident())
        .setInstance(command.getInstance())
        .setAttempt(command.getAttempt())
        .setOutcome(Outcome.APPLIED)
        .setWorker("test")
        .setAtMillis(0L)
        .build();
  }

  private static Reading stamped(String store, String token, long version) {
    return Reading.newBuilder()
        .setStore(store)
        .setKey(Bytes.utf8("conf:a").toBuffer())
        .setState(KeyState.STAMPED)
        .setToken(Bytes.utf8(token).toBuffer())
        .setVersion(version)
        .build();
  }

  private void send(Topic<?> topic, SpecificRecord value) {
    input(topic, value, null);
  }

  private void input(Topic<?> topic, SpecificRecord value, Instant at) {
    driver
        .createInputTopic(
            topic.name(config.topics()), new StringSerializer(), new AvroSerializer(registry))
        .pipeInput(
            new TestRecord<>("conf/a", value, at == null ? start.plusMillis(elapsed()) : at));
  }

  private long elapsed() {
    return driver.producedTopicNames().isEmpty() ? 6_000 : 6_500;
  }

  private List<SpecificRecord> read(Topic<?> topic) {
    return driver
        .createOutputTopic(
            topic.name(config.topics()), new StringDeserializer(), new AvroDeserializer(registry))
        .readValuesToList();
  }
}
