package dev.restitch.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.avro.EvidenceSource;
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
import dev.restitch.control.ControlRecords;
import dev.restitch.control.Directive;
import dev.restitch.control.Hold;
import dev.restitch.control.Proposal;
import dev.restitch.control.Scope;
import dev.restitch.control.Setting;
import dev.restitch.model.Bytes;
import dev.restitch.registry.InMemorySchemaRegistry;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.serde.AvroDeserializer;
import dev.restitch.serde.AvroSerializer;
import dev.restitch.topic.Topic;
import dev.restitch.topic.Topics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
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
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the judge does when something is set. */
class ControlTopologyTest {

  private static final String YAML =
      """
      topics: { partitions: 1 }
      stores:
        east: { uri: "redis://localhost:7001" }
        west: { uri: "redis://localhost:7002" }
      sources:
        db: { jdbc: "jdbc:postgresql://localhost/x", query: { here: "q", there: "q" } }
      relations:
        conf:
          sides:
            here:  { store: east, key: "conf:{name}" }
            there: { store: west, key: "conf:{name}" }
          stamp: "{version}:{token}:{payload}"
          version: { order: counter, store: east, key: "conf:{name}:version" }
          generations: 2
          patience: 60s
          repair: [ { policy: source-of-truth, source: db } ]
      """;

  private final RestitchConfig config = ConfigLoader.parse(YAML, Map.of());
  private final SchemaRegistry registry = new InMemorySchemaRegistry();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
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
            JudgeTopology.build(config, registry, meters, new ConsistencyBoard(), brake, wall::get),
            p,
            Instant.ofEpochMilli(wall.get()));
  }

  @AfterEach
  void close() {
    driver.close();
  }

  @Test
  void shouldProbeAndCommandAgainWhenAPauseIsOver() {
    RepairCommand first = tear("a");
    set(Setting.PAUSE, Scope.EVERYWHERE, "on");
    refuse(first, Hold.Reason.PAUSED);
    pass(1_000);
    assertThat(read(Topics.PROBES)).isEmpty();

    set(Setting.PAUSE, Scope.EVERYWHERE, "off");
    pass(500);
    RepairCommand again = answer("a", onlyProbe());

    assertThat(again.getAttempt()).isEqualTo(first.getAttempt());
    assertThat(again.getGeneration()).isEqualTo(first.getGeneration());
  }

  @Test
  void shouldCostNeitherAttemptsNorGenerationsHoweverOftenItIsRefused() {
    RepairCommand command = tear("a");
    for (int i = 0; i < 8; i++) {
      set(Setting.PAUSE, Scope.EVERYWHERE, "on");
      refuse(command, Hold.Reason.PAUSED);
      set(Setting.PAUSE, Scope.EVERYWHERE, "off");
      pass(500);
      command = answer("a", onlyProbe());
    }

    assertThat(command.getAttempt()).isEqualTo(1);
    assertThat(lastIncident().getState()).isEqualTo(IncidentState.REPAIRING);
  }

  @Test
  void shouldNotCommandAgainWhileTheHoldLastsButGoOnLooking() {
    RepairCommand first = tear("a");
    set(Setting.PAUSE, Scope.relation("conf"), "on");
    refuse(first, Hold.Reason.PAUSED);

    pass(61_000);
    send(Topics.SNAPSHOTS, "conf/a", snapshot(onlyProbe(), "a", true));

    assertThat(read(Topics.REPAIRS)).isEmpty();
    pass(61_000);
    send(Topics.SNAPSHOTS, "conf/a", snapshot(onlyProbe(), "a", false));
    assertThat(lastIncident().getState()).isEqualTo(IncidentState.HEALED);
  }

  @Test
  void shouldOnlyProbeWhatTheReleaseConcerns() {
    RepairCommand first = tear("a");
    set(Setting.BRAKE, Scope.store("west"), "on");
    refuse(first, Hold.Reason.BRAKED);
    pass(1_000);
    assertThat(read(Topics.PROBES)).isEmpty();

    set(Setting.BRAKE, Scope.store("north"), "off");
    set(Setting.PAUSE, Scope.relation("other"), "off");
    set(Setting.RATE, Scope.store("west"), "5");
    pass(500);
    assertThat(read(Topics.PROBES)).isEmpty();

    set(Setting.BRAKE, Scope.store("west"), "off");
    pass(500);
    assertThat(read(Topics.PROBES)).hasSize(1);
  }

  @Test
  void shouldProbeAgainWhenTheWorkerHadNotHeardOfTheReleaseYet() {
    RepairCommand first = tear("a");
    set(Setting.BRAKE, Scope.store("west"), "on");
    set(Setting.BRAKE, Scope.store("west"), "off");
    pass(500);
    assertThat(read(Topics.PROBES)).as("a command is under way").isEmpty();

    refuse(first, Hold.Reason.BRAKED);
    pass(499);
    assertThat(read(Topics.PROBES)).isEmpty();
    pass(200);

    assertThat(read(Topics.PROBES)).hasSize(1);
  }

  @Test
  void shouldProbeWhatWasApproved() {
    RepairCommand first = tear("a");
    refuse(first, Hold.Reason.UNAPPROVED);
    pass(500);

    set(
        Setting.APPROVE,
        Scope.incident("conf/a", first.getIncident()),
        Proposal.approvable(first.getVerdict(), "source-of-truth"));
    pass(500);

    answer("a", onlyProbe());
    assertThat(lastIncident().getTimeline()).anyMatch(t -> t.getWhat().equals("approved"));
  }

  @Test
  void shouldLeaveADiscardedIncidentToPeopleUntilItIsWhole() {
    RepairCommand first = tear("a");
    Scope scope = Scope.incident("conf/a", first.getIncident());
    set(Setting.DISCARD, scope, "on");
    refuse(first, Hold.Reason.DISCARDED);

    pass(500);
    assertThat(lastIncident().getState()).isEqualTo(IncidentState.MANUAL);
    pass(61_000);
    send(Topics.SNAPSHOTS, "conf/a", snapshot(onlyProbe(), "a", true));
    assertThat(read(Topics.REPAIRS)).isEmpty();

    set(Setting.DISCARD, scope, "off");
    pass(500);
    answer("a", onlyProbe());
  }

  @Test
  void shouldSuppressOneIncidentAndShowItAgain() {
    RepairCommand first = tear("a");
    refuse(first, Hold.Reason.PAUSED);
    Scope scope = Scope.incident("conf/a", first.getIncident());

    set(Setting.SUPPRESS, scope, "on");
    pass(500);
    assertThat(lastIncident().getState()).isEqualTo(IncidentState.SUPPRESSED);

    set(Setting.SUPPRESS, scope, "off");
    pass(500);
    assertThat(lastIncident().getState()).isEqualTo(IncidentState.OPEN);
    answer("a", onlyProbe());
  }

  @Test
  void shouldSuppressByARuleWhatIsDeclaredLater() {
    set(Setting.SUPPRESS, Scope.parse("rule:conf/a* TORN_MISSING"), "on");
    pass(100);

    observe("a");
    pass(2_500);
    send(Topics.SNAPSHOTS, "conf/a", snapshot(onlyProbe(), "a", true));
    observe("b");
    pass(2_500);
    send(Topics.SNAPSHOTS, "conf/b", snapshot(onlyProbe(), "b", true));

    assertThat(read(Topics.REPAIRS))
        .extracting(r -> ((RepairCommand) r).getInstance())
        .containsExactly("conf/b");
    assertThat(read(Topics.INCIDENTS))
        .extracting(r -> ((Incident) r).getState())
        .containsExactly(IncidentState.SUPPRESSED, IncidentState.REPAIRING);
  }

  @Test
  void shouldTellEveryOpenIncidentThoughTheyAreMany() {
    int many = 700;
    for (int i = 0; i < many; i++) {
      observe("x" + i);
    }
    pass(2_500);
    for (SpecificRecord probe : read(Topics.PROBES)) {
      ProbeRequest ask = (ProbeRequest) probe;
      String name = ask.getInstance().substring("conf/".length());
      send(Topics.SNAPSHOTS, ask.getInstance(), snapshot(ask, name, true));
    }
    set(Setting.BRAKE, Scope.store("west"), "on");
    List<SpecificRecord> commands = read(Topics.REPAIRS);
    assertThat(commands).hasSize(many);
    commands.forEach(c -> refuse((RepairCommand) c, Hold.Reason.BRAKED));

    set(Setting.BRAKE, Scope.store("west"), "off");
    int probed = 0;
    for (int i = 0; i < 20 && probed < many; i++) {
      pass(25);
      List<SpecificRecord> probes = read(Topics.PROBES);
      assertThat(probes).hasSizeLessThanOrEqualTo(500);
      probed += probes.size();
    }

    assertThat(probed).isEqualTo(many);
  }

  @Test
  void shouldShowItsShareOfTornInstancesAndBeginAnewAfterAReset() {
    tear("a");
    ticks();
    assertThat(share("west")).containsExactly(1L, 1L);
    assertThat(share("east")).containsExactly(1L, 0L);

    set(Setting.BRAKE, Scope.store("west"), "off");
    ticks();

    assertThat(share("west")).isNull();
  }

  private long[] share(String store) {
    long[][] found = {null};
    brake.read(
        (relation, at, judged, torn) -> {
          if (at.equals(store)) {
            found[0] = new long[] {judged, torn};
          }
        });
    return found[0];
  }

  private RepairCommand tear(String name) {
    observe(name);
    pass(2_500);
    return answer(name, onlyProbe());
  }

  private void observe(String name) {
    for (Reading reading : readings(name, true)) {
      send(
          Topics.OBSERVATIONS,
          "conf/" + name,
          new Observation(reading, "set", EvidenceSource.NOTIFICATION, null, 0L));
    }
  }

  private RepairCommand answer(String name, ProbeRequest ask) {
    send(Topics.SNAPSHOTS, "conf/" + name, snapshot(ask, name, true));
    List<SpecificRecord> commands = read(Topics.REPAIRS);
    assertThat(commands).hasSize(1);
    return (RepairCommand) commands.get(0);
  }

  private ProbeRequest onlyProbe() {
    List<SpecificRecord> probes = read(Topics.PROBES);
    assertThat(probes).hasSize(1);
    return (ProbeRequest) probes.get(0);
  }

  private Incident lastIncident() {
    List<SpecificRecord> incidents = read(Topics.INCIDENTS);
    return (Incident) incidents.get(incidents.size() - 1);
  }

  private void refuse(RepairCommand command, Hold.Reason reason) {
    send(
        Topics.OUTCOMES,
        command.getInstance(),
        RepairOutcome.newBuilder()
            .setCommand(command.getId())
            .setIncident(command.getIncident())
            .setInstance(command.getInstance())
            .setAttempt(command.getAttempt())
            .setOutcome(Outcome.REFUSED)
            .setHold(reason.label())
            .setWorker("test")
            .setAtMillis(0L)
            .build());
  }

  private void set(Setting setting, Scope scope, String value) {
    Directive directive = new Directive(setting, scope, value, "ann", "a test", 0);
    send(Topics.CONTROL, directive.key(), ControlRecords.write(directive.validated()));
  }

  private static Snapshot snapshot(ProbeRequest ask, String name, boolean torn) {
    return new Snapshot(
        ask.getInstance(),
        ask.getSeq(),
        ask.getAskedAtMillis(),
        EvidenceSource.PROBE,
        true,
        readings(name, torn),
        0L);
  }

  private static List<Reading> readings(String name, boolean torn) {
    return List.of(reading("east", name, 2), reading("west", name, torn ? 1 : 2));
  }

  private static Reading reading(String store, String name, long version) {
    return Reading.newBuilder()
        .setStore(store)
        .setKey(Bytes.utf8("conf:" + name).toBuffer())
        .setState(KeyState.STAMPED)
        .setToken(Bytes.utf8("v" + version).toBuffer())
        .setVersion(version)
        .build();
  }

  private void ticks() {
    for (int i = 0; i < 8; i++) {
      pass(25);
    }
  }

  private void pass(long millis) {
    tick(25); // the first one only sees that no record came since the last
    tick(millis - 25);
  }

  private void tick(long millis) {
    wall.addAndGet(millis);
    driver.advanceWallClockTime(Duration.ofMillis(millis));
  }

  private void send(Topic<?> topic, String key, SpecificRecord value) {
    driver
        .createInputTopic(
            topic.name(config.topics()), new StringSerializer(), new AvroSerializer(registry))
        .pipeInput(new TestRecord<>(key, value, Instant.ofEpochMilli(wall.get())));
  }

  private List<SpecificRecord> read(Topic<?> topic) {
    return driver
        .createOutputTopic(
            topic.name(config.topics()), new StringDeserializer(), new AvroDeserializer(registry))
        .readValuesToList();
  }
}
