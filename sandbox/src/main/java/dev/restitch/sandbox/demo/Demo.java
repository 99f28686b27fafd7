package dev.restitch.sandbox.demo;

import dev.restitch.config.RestitchConfig;
import dev.restitch.kafka.KafkaClients;
import dev.restitch.registry.SchemaRegistries;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.sandbox.server.Lifetime;
import dev.restitch.sandbox.server.Ports;
import dev.restitch.sandbox.server.Scratch;
import dev.restitch.sandbox.workload.Agenda;
import dev.restitch.sandbox.workload.Checker;
import dev.restitch.sandbox.workload.Discrepancy;
import dev.restitch.sandbox.workload.IncidentFeed;
import dev.restitch.sandbox.workload.Truth;
import dev.restitch.sandbox.workload.Workload;
import dev.restitch.sandbox.workload.Writers;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import dev.restitch.topic.TopicProvisioner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;

/**
 * One run of the demo: servers, services, workload, comparison. Everything that it starts ends with
 * the lifetime.
 */
final class Demo {

  private static final int SLOWER_AT_MOST = 4;
  private static final long PAUSE_MILLIS = 100;

  /** Long enough for a false alarm about the last write to come. */
  private static final Duration QUIET = Duration.ofSeconds(4);

  private final DemoOptions options;
  private final Lifetime lifetime;
  private final LiveView view;
  private DemoServers servers;
  private DemoConfig config;
  private Services services;

  Demo(DemoOptions options, Lifetime lifetime, LiveView view) {
    this.options = options;
    this.lifetime = lifetime;
    this.view = view;
  }

  /**
   * Runs it.
   *
   * @throws Exception if something could not be started, in one sentence
   */
  Report run() throws Exception {
    Random random = new Random(options.seed());
    Agenda agenda = Agenda.draw(options.acts(), options.tears(), random);
    startServers();
    RestitchConfig restitch = config.config();
    SchemaRegistry registry = SchemaRegistries.open(restitch.registry());
    Map<String, StoreClient> stores = StoreClients.openAll(restitch, "restitch-demo");
    stores.values().forEach(lifetime::own);
    Producer<String, SpecificRecord> producer =
        lifetime.own(KafkaClients.producer(restitch, registry, "restitch-demo"));
    Truth truth = lifetime.own(Truth.create(servers.postgres().dataSource()));
    Writers writers = lifetime.own(Writers.open(restitch, stores, producer));
    Workload workload = new Workload(restitch, options.instances(), writers, truth);
    IncidentFeed feed =
        lifetime.own(IncidentFeed.start(restitch, registry, workload.ledger()::heard));
    startServices();
    lifetime.own(workload::stop);

    view.say(
        String.format(
            Locale.ROOT,
            "writing %d times at %d/s, %d of them torn; seed %d",
            options.acts(),
            options.rate(),
            options.tears(),
            options.seed()));
    List<String> problems = new ArrayList<>();
    long start = System.nanoTime();
    view.show(new Progress(workload, services, options.acts(), start)::lines);
    KillHalfWay kill = new KillHalfWay(services.named(options.kill()), view);
    kill.begin(workload, options.acts());
    Duration atMost = options.duration().multipliedBy(SLOWER_AT_MOST).plusSeconds(10);
    if (!workload.run(agenda, random, options.rate(), atMost)) {
      problems.add("the workload did not come to its end");
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    kill.await();
    view.say("the workload is over; waiting for what is not yet mended");
    awaitMended(workload);
    List<Discrepancy> discrepancies = new Checker(stores, truth).check(workload);
    problems(workload, feed, problems);
    return Report.of(
        options.seed(), workload.written(), seconds, workload.ledger(), discrepancies, problems);
  }

  private void startServers() throws Exception {
    long start = System.nanoTime();
    view.say("starting Kafka, two Redis primaries, PostgreSQL and a schema registry");
    Scratch scratch = lifetime.own(Scratch.create("restitch-demo-"));
    servers = DemoServers.start(lifetime, scratch);
    config = DemoConfig.write(scratch.dir(), servers, Ports.free());
    try (Admin admin = KafkaClients.admin(config.config())) {
      TopicProvisioner.ensure(admin, config.config().topics());
    }
    Path logs = options.logs() == null ? scratch.dir() : options.logs().toAbsolutePath();
    services =
        lifetime.own(Services.prepare(Home.find(), config, scratch.newFolder("services"), logs));
    view.say(after("servers are ready", start));
  }

  private void startServices() throws Exception {
    long start = System.nanoTime();
    view.say("starting auditor and repair worker");
    services.start();
    services.awaitReady();
    view.say(after("services are ready", start));
  }

  private void awaitMended(Workload workload) throws InterruptedException {
    long quiet = System.nanoTime() + QUIET.toNanos();
    long deadline = System.nanoTime() + options.patience().toNanos();
    while (System.nanoTime() < quiet
        || (!workload.ledger().settled() && System.nanoTime() < deadline && allAlive())) {
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  private boolean allAlive() {
    return services.all().stream().allMatch(ServiceProcess::alive);
  }

  private void problems(Workload workload, IncidentFeed feed, List<String> problems) {
    if (workload.failed() > 0) {
      problems.add(workload.failed() + " acts failed, such as " + workload.failures());
    }
    if (feed.unreadable() > 0) {
      problems.add(feed.unreadable() + " incidents could not be read");
    }
    for (ServiceProcess service : services.all()) {
      if (!service.alive()) {
        problems.add(service.name() + " died:\n" + service.tail());
      }
    }
  }

  /** Addresses of everything that runs, for people. */
  List<String> addresses() {
    return List.of(
        "configuration  " + config.file(),
        "kafka          " + servers.kafka().bootstrapServers(),
        "registry       " + servers.registry().url(),
        "redis east     " + servers.east().uri(),
        "redis west     " + servers.west().uri(),
        "postgres       " + servers.postgres().jdbcUrl(),
        "auditor        http://127.0.0.1:" + config.managementPort());
  }

  private static String after(String what, long startNanos) {
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    return String.format(Locale.ROOT, "%s after %.1f s", what, seconds);
  }
}
