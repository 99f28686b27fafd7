package dev.restitch.sandbox.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.restitch.avro.Outcome;
import dev.restitch.avro.RepairOutcome;
import dev.restitch.cli.RestitchMain;
import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import dev.restitch.control.Hold;
import dev.restitch.kafka.KafkaClients;
import dev.restitch.operations.OperationsJournal;
import dev.restitch.registry.SchemaRegistries;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.sandbox.example.IncidentConsumer;
import dev.restitch.sandbox.registry.EmbeddedRegistry;
import dev.restitch.sandbox.server.EmbeddedKafka;
import dev.restitch.sandbox.server.Lifetime;
import dev.restitch.sandbox.server.Ports;
import dev.restitch.sandbox.server.RedisProcess;
import dev.restitch.sandbox.server.Scratch;
import dev.restitch.serde.TopicDeserializer;
import dev.restitch.serve.AuditorService;
import dev.restitch.topic.Topics;
import dev.restitch.worker.WorkerService;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/**
 * Pause, brake, rate and approval on real servers, by command line, with two workers. {@code
 * -Drestitch.tears=10000 -Drestitch.rate=200 -Drestitch.window=10000} is the long form.
 */
class GuardIT {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int TEARS = Integer.getInteger("restitch.tears", 400);
  private static final int RATE = Integer.getInteger("restitch.rate", 40);

  /** Over which the rate is held against its cap, milliseconds. */
  private static final int WINDOW = Integer.getInteger("restitch.window", 3_000);

  private static final String PAYLOAD = "secret-payload";

  private RestitchConfig config;
  private Path file;
  private RedisCommands<String, String> east;
  private RedisCommands<String, String> west;

  @Test
  void shouldRepairNothingThatIsHeldAndEverythingThatIsReleased() throws Exception {
    Logger operations = (Logger) LoggerFactory.getLogger(OperationsJournal.LOGGER);
    ListAppender<ILoggingEvent> journal = new ListAppender<>();
    journal.start();
    operations.setLevel(Level.INFO);
    operations.setAdditive(false);
    operations.addAppender(journal);
    try (Lifetime lifetime = Lifetime.begin()) {
      start(lifetime);
      List<WorkerService> workers = startServices(lifetime);
      Queue<RepairOutcome> outcomes = tail(lifetime);

      // nothing is set without --apply
      assertThat(run("repair", "pause", "--cause", "a test")).contains("add --apply");
      assertThat(read("/api/v1/controls").path("controls"))
          .noneMatch(c -> c.path("setting").asText().equals("pause"));
      run("repair", "pause", "--cause", "a test", "--apply");

      // everything is torn at once: paused, and the brake engages
      for (int i = 0; i < TEARS; i++) {
        tear("conf:" + i);
      }
      await()
          .atMost(Duration.ofSeconds(60 + TEARS / 50))
          .until(() -> outcomes.size() >= TEARS && braked("west"));
      assertThat(outcomes).allMatch(o -> o.getOutcome() == Outcome.REFUSED);
      assertThat(outcomes)
          .allMatch(
              o -> Hold.Reason.of(o.getHold()).isPresent() || o.getDetail().contains("not-after"));
      assertThat(repaired()).isZero();
      assertThat(run("brake", "status")).contains("engaged").contains("of conf");

      // released from the pause, still braked
      run("repair", "resume", "--cause", "the test goes on", "--apply");
      await()
          .during(Duration.ofMillis(1_500))
          .atMost(Duration.ofSeconds(10))
          .until(() -> repaired() == 0);

      // the brake is reset: at a rate, shared by both workers; faster while running
      run("repair", "rate", String.valueOf(RATE), "--store", "west", "--cause", "slow", "--apply");
      run("brake", "reset", "west", "--cause", "the writer was mended", "--apply");
      await()
          .atMost(Duration.ofMillis(30_000 + 2 * WINDOW))
          .until(() -> applied(outcomes).size() >= RATE * (WINDOW / 1_000 + 1));
      List<Long> slow = applied(outcomes);
      run("repair", "rate", "1000", "--store", "west", "--cause", "enough", "--apply");
      await().atMost(Duration.ofSeconds(60 + TEARS / 50)).until(() -> repaired() == TEARS);
      assertThat(mostWithin(slow, WINDOW))
          .isLessThanOrEqualTo((int) (WINDOW / 1_000 * RATE * 1.05) + 1);
      assertThat(workers).allMatch(w -> w.counts().of(Outcome.APPLIED) > 0);

      // only what a person has approved
      tear("careful:1");
      await().atMost(Duration.ofSeconds(30)).until(() -> held("careful/1").equals("unapproved"));
      assertThat(west.get("careful:1")).startsWith("1:");
      String id = incident("careful/1");
      run("repair", "approve", id, "--cause", "looked at it", "--apply");
      await().atMost(Duration.ofSeconds(30)).until(() -> west.get("careful:1").startsWith("2:"));

      await().atMost(Duration.ofSeconds(30)).until(() -> open() == 0);
      shouldBalance(workers);
      shouldHaveLogged(journal);
      shouldHaveTold(lifetime, id);
      System.err.printf(
          "guard: %d tears, %d refusals, most repairs within %d ms at %d/s: %d%n",
          TEARS,
          outcomes.stream().filter(o -> o.getOutcome() == Outcome.REFUSED).count(),
          WINDOW,
          RATE,
          mostWithin(slow, WINDOW));
    } finally {
      operations.detachAppender(journal);
    }
  }

  private EmbeddedKafka kafka;
  private EmbeddedRegistry registry;

  private void start(Lifetime lifetime) throws Exception {
    Scratch scratch = lifetime.own(Scratch.create("restitch-guard-"));
    kafka = lifetime.own(EmbeddedKafka.start(scratch));
    registry = lifetime.own(EmbeddedRegistry.start());
    RedisProcess eastServer = lifetime.own(RedisProcess.start(scratch));
    RedisProcess westServer = lifetime.own(RedisProcess.start(scratch));
    file = scratch.dir().resolve("restitch.yaml");
    Files.writeString(
        file,
        """
        kafka: { bootstrap.servers: "%s" }
        topics: { partitions: 4 }
        registry: { url: "%s" }
        state-dir: "%s"
        management: { port: %d, worker-port: 0 }
        stores:
          east: { uri: "%s" }
          west: { uri: "%s" }
        relations:
          conf:
            sides:
              here:  { store: east, key: "conf:{name}", payload: conf }
              there: { store: west, key: "conf:{name}", payload: conf }
            stamp: "{version}:{token}:{payload}"
            version: { order: counter }
            settle: 300ms
            patience: 10s
            rate: 1000
            brake: { share: 0.3, count: 50 }
            repair: [ { policy: accept-newest, regenerate: copy } ]
          careful:
            sides:
              here:  { store: east, key: "careful:{name}", payload: careful }
              there: { store: west, key: "careful:{name}", payload: careful }
            stamp: "{version}:{token}:{payload}"
            version: { order: counter }
            settle: 300ms
            patience: 10s
            approval: required
            repair: [ { policy: accept-newest, regenerate: copy } ]
        """
            .formatted(
                kafka.bootstrapServers(),
                registry.url(),
                scratch.dir().resolve("state"),
                Ports.free(),
                eastServer.uri(),
                westServer.uri()));
    config = ConfigLoader.load(file, Map.of());
    east = commands(lifetime, eastServer.uri());
    west = commands(lifetime, westServer.uri());
  }

  private static RedisCommands<String, String> commands(Lifetime lifetime, String uri) {
    RedisClient client = RedisClient.create(uri);
    lifetime.own(client::shutdown);
    return client.connect().sync();
  }

  private List<WorkerService> startServices(Lifetime lifetime) throws Exception {
    AuditorService auditor = lifetime.own(new AuditorService(config));
    auditor.start();
    List<WorkerService> workers = new ArrayList<>();
    for (int i = 1; i <= 2; i++) {
      workers.add(lifetime.own(WorkerService.start(config, "worker-" + i, false)));
    }
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> workers.stream().allMatch(WorkerService::taking) && status("/readyz") == 200);
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> read("/api/v1/brake").findValues("blind").stream().allMatch(b -> b.isEmpty()));
    return workers;
  }

  private void tear(String key) {
    west.set(key, "1:old:" + PAYLOAD);
    east.set(key, "2:new:" + PAYLOAD);
  }

  private int repaired() {
    int repaired = 0;
    for (int i = 0; i < TEARS; i += 100) {
      String[] keys = new String[100];
      for (int k = 0; k < 100; k++) {
        keys[k] = "conf:" + (i + k);
      }
      repaired +=
          (int) west.mget(keys).stream().filter(v -> v.getValue().startsWith("2:new")).count();
    }
    return repaired;
  }

  private Queue<RepairOutcome> tail(Lifetime lifetime) {
    SchemaRegistry schemas = SchemaRegistries.open(config.registry());
    lifetime.own(schemas::close);
    Queue<RepairOutcome> found = new ConcurrentLinkedQueue<>();
    AtomicBoolean go = new AtomicBoolean(true);
    Thread thread =
        new Thread(
            () -> {
              TopicDeserializer<RepairOutcome> values =
                  new TopicDeserializer<>(schemas, Topics.OUTCOMES);
              String topic = Topics.OUTCOMES.name(config.topics());
              try (Consumer<String, byte[]> c = KafkaClients.consumer(config, "tail", null)) {
                List<TopicPartition> all =
                    c.partitionsFor(topic).stream()
                        .map(p -> new TopicPartition(topic, p.partition()))
                        .toList();
                c.assign(all);
                c.seekToBeginning(all);
                while (go.get()) {
                  c.poll(Duration.ofMillis(100))
                      .forEach(r -> found.add(values.deserialize(topic, r.value())));
                }
              }
            },
            "outcome-tail");
    thread.start();
    lifetime.own(
        () -> {
          go.set(false);
          thread.join(10_000);
        });
    return found;
  }

  private static List<Long> applied(Queue<RepairOutcome> outcomes) {
    return outcomes.stream()
        .filter(o -> o.getOutcome() == Outcome.APPLIED)
        .map(RepairOutcome::getAtMillis)
        .sorted()
        .toList();
  }

  private static int mostWithin(List<Long> times, long millis) {
    int most = 0;
    int first = 0;
    for (int i = 0; i < times.size(); i++) {
      while (times.get(first) <= times.get(i) - millis) {
        first++;
      }
      most = Math.max(most, i - first + 1);
    }
    return most;
  }

  private boolean braked(String store) throws Exception {
    for (JsonNode s : read("/api/v1/brake").path("stores")) {
      if (s.path("store").asText().equals(store)) {
        return s.path("engaged").asBoolean();
      }
    }
    throw new AssertionError("no store " + store);
  }

  private JsonNode repair(String instance) throws Exception {
    for (JsonNode r : read("/api/v1/repairs").path("repairs")) {
      if (r.path("instance").asText().equals(instance)) {
        return r;
      }
    }
    return JSON.createObjectNode();
  }

  /** Held, and a worker has said so. */
  private String held(String instance) throws Exception {
    JsonNode r = repair(instance);
    return r.path("lastOutcome").asText().equals("REFUSED") ? r.path("hold").asText() : "";
  }

  private String incident(String instance) throws Exception {
    return repair(instance).path("id").asText();
  }

  private long open() throws Exception {
    return read("/api/v1/status").path("openIncidents").asLong();
  }

  private void shouldBalance(List<WorkerService> workers) throws Exception {
    for (WorkerService worker : workers) {
      String text = get("http://127.0.0.1:" + worker.port() + "/metrics").body();
      double commands = 0;
      Map<String, Double> records = new HashMap<>();
      Matcher lines =
          Pattern.compile("(?m)^(restitch_worker_\\w+)\\{(\\w+)=\"([\\w-]+)\"\\} (\\S+)$")
              .matcher(text);
      while (lines.find()) {
        if (lines.group(1).equals("restitch_worker_commands_total")) {
          commands += Double.parseDouble(lines.group(4));
        } else if (lines.group(1).equals("restitch_worker_records_total")) {
          records.put(lines.group(3), Double.parseDouble(lines.group(4)));
        }
      }
      assertThat(commands).isPositive().isEqualTo(worker.counts().commands());
      assertThat(records.get("received"))
          .isEqualTo(records.get("poisoned") + records.get("handed-over") + commands);
    }
  }

  private static void shouldHaveLogged(ListAppender<ILoggingEvent> journal) throws Exception {
    List<JsonNode> lines = new ArrayList<>();
    for (ILoggingEvent event : List.copyOf(journal.list)) {
      assertThat(event.getFormattedMessage()).doesNotContain(PAYLOAD);
      lines.add(JSON.readTree(event.getFormattedMessage()));
    }
    assertThat(lines)
        .allMatch(l -> l.hasNonNull("owner") && l.hasNonNull("cause") && l.hasNonNull("by"));
    assertThat(lines)
        .filteredOn(l -> l.path("outcome").asText().equals("APPLIED"))
        .hasSize(TEARS + 1)
        .allMatch(l -> l.path("before").get(0).asText().contains("1:old"))
        .allMatch(l -> l.path("after").get(0).asText().contains("2:new"));
    assertThat(lines)
        .filteredOn(l -> l.path("what").asText().equals("control"))
        .extracting(l -> l.path("cause").asText())
        .contains("a test", "the test goes on", "the writer was mended", "looked at it");
  }

  /** The example of the documentation reads what the pipeline has written. */
  private void shouldHaveTold(Lifetime lifetime, String id) throws Exception {
    List<String> lines = new ArrayList<>();
    long patience = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    String last = id + " REPAIRED TORN_MISSING careful/1 behind [west/careful:1]";
    IncidentConsumer.run(
        kafka.bootstrapServers(),
        registry.url(),
        Topics.INCIDENTS.name(config.topics()),
        incident -> lines.add(IncidentConsumer.line(incident)),
        () -> !lines.contains(last) && System.nanoTime() < patience);
    assertThat(lines).contains(last).hasSizeGreaterThan(2 * TEARS);
  }

  private String run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line =
        RestitchMain.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--config", file.toString()));
    int code = line.execute(all.toArray(String[]::new));
    assertThat(code).as(err.toString()).isIn(0, 3);
    return out.toString();
  }

  private JsonNode read(String path) throws Exception {
    return JSON.readTree(get(base() + path).body());
  }

  private int status(String path) throws Exception {
    return get(base() + path).statusCode();
  }

  private String base() {
    return "http://127.0.0.1:" + config.management().port();
  }

  private static HttpResponse<String> get(String uri) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.ofString());
  }
}
