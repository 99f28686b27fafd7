package dev.restitch.serve;

import dev.restitch.avro.Incident;
import dev.restitch.avro.IncidentState;
import dev.restitch.brake.BrakeKeeper;
import dev.restitch.brake.BrakeService;
import dev.restitch.brake.NodeSight;
import dev.restitch.brake.SettledControls;
import dev.restitch.brake.TallyFeed;
import dev.restitch.brake.TornShares;
import dev.restitch.config.RestitchConfig;
import dev.restitch.config.StoreConfig;
import dev.restitch.control.ControlBook;
import dev.restitch.control.ControlDesk;
import dev.restitch.control.ControlFeed;
import dev.restitch.kafka.DeadLetters;
import dev.restitch.kafka.KafkaClients;
import dev.restitch.operations.OperationsJournal;
import dev.restitch.probe.Prober;
import dev.restitch.registry.SchemaRegistries;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.serde.ContractSchemas;
import dev.restitch.startup.Peers;
import dev.restitch.startup.UnreachableException;
import dev.restitch.store.StoreClient;
import dev.restitch.sweep.SweepBook;
import dev.restitch.sweep.SweepFeed;
import dev.restitch.sweep.SweepMeters;
import dev.restitch.sweep.Sweeper;
import dev.restitch.topic.TopicProvisioner;
import dev.restitch.topic.Topics;
import dev.restitch.topology.JudgeStreams;
import dev.restitch.watch.CoverageFeed;
import dev.restitch.watch.GroupShare;
import dev.restitch.watch.NodeShare;
import dev.restitch.watch.WatchedNode;
import dev.restitch.watch.Watcher;
import dev.restitch.webhook.Webhook;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One auditor: watcher, judge, prober, sweeper and the management port, opened in this order of
 * need and closed in the reverse. Not thread-safe, but {@link #close} may be called from another
 * thread.
 */
public final class AuditorService implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(AuditorService.class);
  private static final int PROBER_THREADS = 2;
  private static final Duration CONTROL_PATIENCE = Duration.ofSeconds(15);

  private final RestitchConfig config;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final String name = owner();
  private JudgeStreams judge;

  public AuditorService(RestitchConfig config) {
    this.config = config;
  }

  /**
   * Opens everything; returns when all is begun. Waits for unreachable peers as long as the
   * configuration says.
   *
   * @throws UnreachableException if a peer stays unreachable
   */
  public void start() {
    Peers.awaitKafka(config);
    SchemaRegistry registry = SchemaRegistries.open(config.registry());
    Peers.awaitRegistry(config, registry);
    Map<String, StoreClient> stores = openStores();
    try (Admin admin = KafkaClients.admin(config)) {
      TopicProvisioner.ensure(admin, config.topics());
    }
    ContractSchemas.register(registry, config.topics());
    PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Producer<String, SpecificRecord> producer =
        KafkaClients.producer(config, registry, "restitch-auditor");
    opened.push(producer);
    DeadLetters deadLetters = DeadLetters.open(config, "restitch-prober");
    opened.push(deadLetters);

    judge = new JudgeStreams(config, registry, meters);
    opened.push(judge);
    judge.start();
    Prober prober =
        new Prober(
            config,
            stores,
            registry,
            producer,
            () -> KafkaClients.consumer(config, "restitch-prober", Prober.group(config)),
            PROBER_THREADS,
            deadLetters);
    opened.push(prober);
    prober.start();
    NodeShare share = openShare(registry);
    Watcher watcher = new Watcher(config, stores, producer, name, share);
    opened.push(watcher);
    watcher.start();
    Sweeper sweeper = openSweeper(registry, stores, producer, name, share);
    IncidentFeed feed =
        new IncidentFeed(
            () -> KafkaClients.consumer(config, "restitch-incident-feed", null),
            Topics.INCIDENTS.name(config.topics()),
            registry);
    opened.push(feed);
    feed.start();
    if (config.webhook() != null) {
      Webhook webhook =
          new Webhook(
              config,
              registry,
              () -> KafkaClients.member(config, "restitch-webhook", Webhook.group(config)),
              meters);
      opened.push(webhook);
      webhook.start();
    }
    ServiceMeters.bind(meters, watcher, prober, feed);
    SweepMeters.bind(meters, sweeper);
    ManagementServer server =
        new ManagementServer(
            config.management(),
            new Health(judge, watcher, prober, sweeper, config.gapPatience()),
            feed,
            openControls(registry, producer, watcher, feed),
            meters);
    opened.push(server);
    server.start();
    log.atInfo()
        .addKeyValue("host", config.management().host())
        .addKeyValue("port", server.port())
        .addKeyValue("stores", stores.keySet())
        .addKeyValue("relations", config.relations().keySet())
        .log("auditor started");
  }

  /** What is set, the brake that sets some of it, and the API that sets the rest. */
  private ControlApi openControls(
      SchemaRegistry registry,
      Producer<String, SpecificRecord> producer,
      Watcher watcher,
      IncidentFeed incidents) {
    Clock clock = Clock.systemUTC();
    ControlBook book = new ControlBook();
    ControlFeed feed =
        new ControlFeed(
            () -> KafkaClients.consumer(config, "restitch-control-feed", null),
            Topics.CONTROL.name(config.topics()),
            registry,
            book);
    opened.push(feed);
    feed.start().awaitRead(config.startupPatience());
    TallyFeed tallies =
        new TallyFeed(
            () -> KafkaClients.consumer(config, "restitch-tally-feed", null),
            Topics.TALLIES.name(config.topics()),
            registry);
    opened.push(tallies);
    tallies.start();
    ControlDesk desk = new ControlDesk(producer, config.topics(), CONTROL_PATIENCE);
    TornShares shares = new TornShares(name, judge.brake(), tallies::all, clock);
    BrakeService brake =
        new BrakeService(
            new BrakeKeeper(
                config.relations(),
                shares::all,
                () -> sights(watcher),
                book,
                desk::publish,
                name,
                clock),
            shares,
            new SettledControls(
                book, id -> incidents.byId(id).filter(AuditorService::over).isPresent(), clock),
            desk,
            producer,
            config.topics());
    opened.push(brake);
    brake.start();
    return new ControlApi(
        config, incidents, book, desk, shares::all, new OperationsJournal(clock, name), clock);
  }

  private static boolean over(Incident incident) {
    return incident.getState() == IncidentState.REPAIRED
        || incident.getState() == IncidentState.HEALED;
  }

  private static List<NodeSight> sights(Watcher watcher) {
    Set<String> ours = new HashSet<>();
    watcher.nodes().forEach(node -> ours.add(node.store() + "/" + node.node()));
    return watcher.everyNode().stream()
        .map(
            node ->
                new NodeSight(
                    node.store(),
                    node.node(),
                    ours.contains(node.store() + "/" + node.node()),
                    trouble(node)))
        .toList();
  }

  private static String trouble(WatchedNode node) {
    if (node.subscribed() && !node.gapOpen()) {
      return null;
    }
    String said = node.state().getTrouble();
    return said != null ? said : node.subscribed() ? "a gap is open" : "not subscribed";
  }

  private Map<String, StoreClient> openStores() {
    Map<String, StoreClient> stores = new LinkedHashMap<>();
    for (StoreConfig store : config.stores().values()) {
      StoreClient client = Peers.awaitStore(config, store, "restitch-auditor");
      opened.push(client);
      stores.put(store.name(), client);
    }
    return stores;
  }

  /** Takes part in sharing the nodes with the other auditors. */
  private NodeShare openShare(SchemaRegistry registry) {
    CoverageFeed marks =
        new CoverageFeed(
            () -> KafkaClients.consumer(config, "restitch-coverage-feed", null),
            Topics.COVERAGE.name(config.topics()),
            registry,
            Clock.systemUTC());
    opened.push(marks);
    marks.start();
    GroupShare share =
        new GroupShare(
            () -> KafkaClients.member(config, "restitch-watcher", GroupShare.group(config)),
            Topics.GAPS.name(config.topics()),
            config.topics().partitions(),
            marks);
    opened.push(share);
    share.start();
    return share;
  }

  /** Sweeps the nodes that this auditor watches. */
  private Sweeper openSweeper(
      SchemaRegistry registry,
      Map<String, StoreClient> stores,
      Producer<String, SpecificRecord> producer,
      String owner,
      NodeShare share) {
    SweepBook book = new SweepBook();
    SweepFeed told =
        new SweepFeed(
            () -> KafkaClients.consumer(config, "restitch-sweep-feed", null),
            config,
            registry,
            owner,
            book);
    opened.push(told);
    told.start();
    Sweeper sweeper =
        new Sweeper(config, stores, producer, owner, share::owns, book, told::readToEnd);
    opened.push(sweeper);
    sweeper.start();
    return sweeper;
  }

  /** A name that no other process has, also where containers look alike. */
  private static String owner() {
    String pid =
        ManagementFactory.getRuntimeMXBean().getPid()
            + "-"
            + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
    try {
      return InetAddress.getLocalHost().getHostName() + "-" + pid;
    } catch (UnknownHostException e) {
      return "auditor-" + pid;
    }
  }

  /** Waits until the judge has stopped. */
  public void awaitStop() throws InterruptedException {
    judge.stopped().await();
  }

  @Override
  public void close() {
    while (!opened.isEmpty()) {
      AutoCloseable next = opened.pop();
      try {
        next.close();
      } catch (Exception e) {
        log.atWarn()
            .addKeyValue("part", next.getClass().getSimpleName())
            .addKeyValue("error", e.toString())
            .log("a part of the auditor did not close");
      }
    }
  }
}
