package dev.restitch.doctor;

import dev.restitch.config.StoreConfig;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import dev.restitch.store.StoreNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Examines every server of one store, each by a connection of its own. Blocks. */
final class StoreExam {

  private static final Duration NODE_LIMIT = Duration.ofSeconds(30);
  private static final Duration ANSWER_IN = Duration.ofSeconds(3);
  private static final String REACHABLE = "reachable";

  private final StoreNeeds needs;
  private final Treatment treatment;
  private final Consumer<String> progress;
  private final List<Finding> findings = new ArrayList<>();

  /**
   * @param treatment null: change nothing
   */
  StoreExam(StoreNeeds needs, Treatment treatment, Consumer<String> progress) {
    this.needs = needs;
    this.treatment = treatment;
    this.progress = progress;
  }

  List<Finding> examine() {
    StoreConfig store = needs.store();
    if (store.kind() == StoreConfig.Kind.CLUSTER) {
      cluster();
    } else {
      for (String uri : store.uris()) {
        ServerAddress address = ServerAddress.of(store, uri);
        on(
            address,
            uri,
            node -> new NodeExam(needs, address, false, node, treatment).examine(false));
      }
    }
    return findings;
  }

  private void cluster() {
    ClusterFacts known = null;
    ServerAddress seed = null;
    String seedUri = null;
    List<Finding> away = new ArrayList<>();
    for (String uri : needs.store().uris()) {
      ServerAddress address = ServerAddress.of(needs.store(), uri);
      AtomicReference<ClusterFacts> found = new AtomicReference<>();
      away.addAll(
          attempt(
              address,
              uri,
              node -> {
                found.set(facts(node, address));
                return List.of();
              }));
      if (found.get() != null) {
        known = found.get();
        seed = address;
        seedUri = uri;
        break;
      }
    }
    findings.addAll(away);
    if (known == null) {
      return;
    }
    findings.addAll(ClusterRules.judge(needs.store().name(), seed, known));
    for (Map.Entry<ServerAddress, Boolean> server : servers(known, seed).entrySet()) {
      ServerAddress address = server.getKey();
      on(
          address,
          ServerAddress.like(seedUri, address),
          node -> new NodeExam(needs, address, server.getValue(), node, treatment).examine(true));
    }
  }

  private static ClusterFacts facts(StoreNode node, ServerAddress address) throws Exception {
    return ClusterFacts.parse(
        Timed.get(ANSWER_IN, node.commands().clusterInfo()),
        Timed.get(ANSWER_IN, node.commands().clusterNodes()),
        address.host());
  }

  /** The servers that hold slots, or may take them over; true: replicas. */
  private static Map<ServerAddress, Boolean> servers(ClusterFacts facts, ServerAddress seed) {
    Map<ServerAddress, Boolean> servers = new LinkedHashMap<>();
    for (ClusterFacts.Node node : facts.nodes()) {
      if (!node.failed() && (node.slots() || !node.primary())) {
        servers.put(seed.at(node.host(), node.port()), !node.primary());
      }
    }
    return servers;
  }

  private void on(ServerAddress address, String uri, Examination examination) {
    findings.addAll(attempt(address, uri, examination));
  }

  private List<Finding> attempt(ServerAddress address, String uri, Examination examination) {
    String where = needs.store().name() + " " + address;
    progress.accept("examining store " + where);
    try {
      return Timed.call(NODE_LIMIT, connected(uri, examination));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of(unreachable(where, "interrupted", address));
    } catch (Exception e) {
      return List.of(unreachable(where, Timed.words(e), address));
    }
  }

  private Finding unreachable(String where, String why, ServerAddress address) {
    return Finding.error(
        REACHABLE,
        where,
        "cannot be examined, and so not watched: " + why,
        address.cli("PING") + "   # and check stores." + needs.store().name());
  }

  private Callable<List<Finding>> connected(String uri, Examination examination) {
    return () -> {
      try (StoreClient client = StoreClients.open(alone(uri), "restitch-doctor")) {
        return examination.of(client.primaries().get(0));
      }
    };
  }

  /** The store's settings for one of its servers. */
  private StoreConfig alone(String uri) {
    StoreConfig s = needs.store();
    return new StoreConfig(
        s.name(),
        StoreConfig.Kind.STANDALONE,
        List.of(uri),
        s.username(),
        s.password(),
        s.verifyPeer(),
        s.truststore());
  }

  /** What is done with an open connection. */
  @FunctionalInterface
  private interface Examination {
    List<Finding> of(StoreNode node) throws Exception;
  }
}
