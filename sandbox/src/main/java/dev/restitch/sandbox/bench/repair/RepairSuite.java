package dev.restitch.sandbox.bench.repair;

import dev.restitch.avro.Outcome;
import dev.restitch.avro.RepairCommand;
import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import dev.restitch.kafka.KafkaClients;
import dev.restitch.registry.SchemaRegistries;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.sandbox.bench.BenchRun;
import dev.restitch.sandbox.bench.BenchServer;
import dev.restitch.sandbox.bench.Figure;
import dev.restitch.sandbox.bench.Suite;
import dev.restitch.sandbox.bench.WrongAnswerException;
import dev.restitch.sandbox.registry.EmbeddedRegistry;
import dev.restitch.sandbox.server.KafkaProcess;
import dev.restitch.sandbox.server.Ports;
import dev.restitch.sandbox.server.Scratch;
import dev.restitch.serde.ContractSchemas;
import dev.restitch.topic.TopicProvisioner;
import dev.restitch.topic.Topics;
import dev.restitch.worker.WorkerService;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Repairs a second of a whole worker, from the command in Kafka to its outcome, as a ratio to the
 * same reads and scripts sent bare and pipelined, in turns on the same servers; then what a client
 * of the repaired store sees with and without repairs at the usual rate cap. The size is repairs a
 * round.
 */
public final class RepairSuite implements Suite {

  private static final long OWN_SIZE = 30_000;
  private static final int WARM_UP = 2;
  private static final double MUST = 0.25;
  private static final int CAP = 100;
  private static final double SECONDS = 5;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Override
  public String name() {
    return "repair";
  }

  @Override
  public String title() {
    return "repairs a second, beside the same scripts sent bare; what a client sees meanwhile";
  }

  @Override
  public List<Figure> run(BenchRun run) throws IOException, InterruptedException {
    try {
      return new Turns(run).run();
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("the servers did not answer: " + e, e);
    }
  }

  /** The contenders' turns on the same servers. */
  private static final class Turns {

    private final BenchRun run;
    private final String eastUri;
    private final String westUri;
    private final String brokers;
    private final String registryUrl;
    private final String stateDir;
    private final StatefulRedisConnection<String, String> east;
    private final StatefulRedisConnection<String, String> west;
    private final SchemaRegistry registry;
    private final Producer<String, SpecificRecord> producer;
    private int lots;

    Turns(BenchRun run) throws Exception {
      this.run = run;
      Scratch scratch = run.lifetime().own(Scratch.create("restitch-bench-"));
      this.eastUri = BenchServer.start(run).uri();
      this.westUri = BenchServer.start(run).uri();
      this.brokers = run.lifetime().own(KafkaProcess.start(scratch)).bootstrapServers();
      this.registryUrl = run.lifetime().own(EmbeddedRegistry.start()).url();
      this.stateDir = scratch.dir().resolve("state").toString();
      this.east = connect(eastUri);
      this.west = connect(westUri);
      RestitchConfig config = config(CAP);
      try (Admin admin = KafkaClients.admin(config)) {
        TopicProvisioner.ensure(admin, config.topics());
      }
      this.registry = SchemaRegistries.open(config.registry());
      run.lifetime().own(registry::close);
      ContractSchemas.register(registry, config.topics());
      this.producer = run.lifetime().own(KafkaClients.producer(config, registry, "restitch-bench"));
    }

    private StatefulRedisConnection<String, String> connect(String uri) {
      RedisClient client = RedisClient.create(uri);
      run.lifetime().own(client::shutdown);
      return client.connect();
    }

    private RestitchConfig config(int rate) {
      return ConfigLoader.parse(
          """
          kafka: { bootstrap.servers: "%s" }
          registry: { url: "%s" }
          topics: { partitions: 4 }
          management: { worker-port: %d }
          state-dir: "%s"
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
              rate: %d
              repair: [ { policy: accept-newest, regenerate: copy } ]
          """
              .formatted(brokers, registryUrl, Ports.free(), stateDir, eastUri, westUri, rate),
          Map.of());
    }

    List<Figure> run() throws Exception {
      int rounds = run.rounds();
      double[] ours = new double[rounds];
      double[] bare = new double[rounds];
      double[] ratio = new double[rounds];
      BareRepairs peer = new BareRepairs(east, west);
      try (WorkerService worker = WorkerService.start(config(1_000_000), "bench", false)) {
        awaitTaking(worker);
        for (int round = -WARM_UP; round < rounds; round++) {
          double alone = bare(peer);
          double whole = worker(worker);
          if (round >= 0) {
            bare[round] = alone;
            ours[round] = whole;
            ratio[round] = whole / alone;
            run.progress()
                .accept(
                    "round %d: worker %,.0f repairs/s, bare %,.0f repairs/s"
                        .formatted(round + 1, whole, alone));
          }
        }
      }
      double[] quiet = new double[rounds];
      double[] repairing = new double[rounds];
      foreground(quiet, repairing);
      return List.of(
          Figure.of("worker", "repairs/s", ours),
          Figure.of("bare scripts", "repairs/s", bare),
          Figure.atLeast(MUST, "worker / bare", "ratio", ratio),
          Figure.of("client's p99, no repairs", "us", quiet),
          Figure.of("client's p99, " + CAP + " repairs/s", "us", repairing));
    }

    private TornPairs torn(int count) throws InterruptedException, ExecutionException {
      TornPairs pairs = new TornPairs("lot" + lots++, count);
      pairs.tear(east, west);
      return pairs;
    }

    private int size() {
      return (int) run.sizeOr(OWN_SIZE);
    }

    private double bare(BareRepairs peer) throws InterruptedException, ExecutionException {
      TornPairs pairs = torn(size());
      long start = System.nanoTime();
      peer.run(pairs);
      double rate = pairs.count() / ((System.nanoTime() - start) / 1e9);
      pairs.mustBeMended(west);
      return rate;
    }

    private double worker(WorkerService worker) throws InterruptedException, ExecutionException {
      TornPairs pairs = torn(size());
      List<RepairCommand> commands = pairs.commands();
      long before = worker.counts().of(Outcome.APPLIED);
      long start = System.nanoTime();
      send(commands);
      awaitApplied(worker, before + pairs.count());
      double rate = pairs.count() / ((System.nanoTime() - start) / 1e9);
      pairs.mustBeMended(west);
      return rate;
    }

    private void send(List<RepairCommand> commands) {
      String topic = Topics.REPAIRS.name(config(CAP).topics());
      for (RepairCommand command : commands) {
        producer.send(new ProducerRecord<>(topic, command.getInstance(), command));
      }
      producer.flush();
    }

    /** A client's turns with and without repairs that go at their cap. */
    private void foreground(double[] quiet, double[] repairing) throws Exception {
      Foreground client = new Foreground(westUri);
      client.p99(1); // warm
      try (WorkerService worker = WorkerService.start(config(CAP), "bench", false)) {
        awaitTaking(worker);
        for (int round = 0; round < quiet.length; round++) {
          quiet[round] = client.p99(SECONDS);
          TornPairs pairs = torn((int) (CAP * SECONDS));
          long before = worker.counts().of(Outcome.APPLIED);
          send(pairs.commands());
          repairing[round] = client.p99(SECONDS);
          awaitApplied(worker, before + pairs.count());
          pairs.mustBeMended(west);
          run.progress()
              .accept(
                  "round %d: a client's p99 %,.0f us without and %,.0f us with repairs"
                      .formatted(round + 1, quiet[round], repairing[round]));
        }
      }
    }

    private static void awaitTaking(WorkerService worker) throws InterruptedException {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (!worker.taking()) {
        if (System.nanoTime() > deadline) {
          throw new WrongAnswerException("repair: the worker was given no commands");
        }
        Thread.sleep(10);
      }
    }

    private static void awaitApplied(WorkerService worker, long count) throws InterruptedException {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (worker.counts().of(Outcome.APPLIED) < count) {
        if (System.nanoTime() > deadline) {
          throw new WrongAnswerException("repair: not all was applied: " + worker.counts());
        }
        Thread.sleep(1);
      }
    }
  }
}
