package dev.restitch.sandbox.eyes;

import dev.restitch.sandbox.registry.EmbeddedRegistry;
import dev.restitch.sandbox.server.EmbeddedKafka;
import dev.restitch.sandbox.server.FaultProxy;
import dev.restitch.sandbox.server.Lifetime;
import dev.restitch.sandbox.server.RedisCluster;
import dev.restitch.sandbox.server.RedisProcess;
import dev.restitch.sandbox.server.Scratch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A cluster of three primaries with a replica each, two independent primaries, a broker and a
 * registry. Every node is reached through a proxy; those of the cluster announce it. Thread-safe.
 */
final class Servers {

  static final int PRIMARIES = 3;
  private static final int SHARDS = 2;

  private final Lifetime lifetime;
  private final long seed;
  private final List<FaultProxy> proxies = new CopyOnWriteArrayList<>();
  private final List<Server> nodes = new CopyOnWriteArrayList<>();
  private final List<Server> shards = new ArrayList<>();
  private final RedisCluster cluster;
  private final EmbeddedKafka kafka;
  private final EmbeddedRegistry registry;

  /** Starts all; they end with the lifetime. */
  Servers(Lifetime lifetime, Scratch scratch, long seed) throws Exception {
    this.lifetime = lifetime;
    this.seed = seed;
    CompletableFuture<EmbeddedKafka> broker =
        lifetime.start("kafka", () -> EmbeddedKafka.start(scratch));
    CompletableFuture<EmbeddedRegistry> schemas =
        lifetime.start("registry", EmbeddedRegistry::start);
    cluster = lifetime.own(RedisCluster.start(scratch, PRIMARIES, 1, new Announced()));
    for (int i = 0; i < SHARDS; i++) {
      RedisProcess process = lifetime.own(RedisProcess.start(scratch));
      shards.add(lifetime.own(new Server(process, lifetime.own(new FaultProxy(seed - i - 1)))));
    }
    kafka = Lifetime.await(broker);
    registry = Lifetime.await(schemas);
  }

  /** A node that is known by its proxy's port. */
  private final class Announced implements RedisCluster.Node {

    @Override
    public List<String> settings(int index) {
      try {
        FaultProxy proxy = lifetime.own(new FaultProxy(seed + index));
        proxies.add(proxy);
        return List.of("--cluster-announce-port", Integer.toString(proxy.port()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void started(int index, RedisProcess process) {
      nodes.add(lifetime.own(new Server(process, proxies.get(index))));
    }
  }

  /** The cluster's nodes, in the order in which they came. */
  List<Server> nodes() {
    return nodes;
  }

  /** The cluster's primaries now. */
  List<Server> primaries() {
    return nodes.stream().filter(Server::primary).toList();
  }

  /** The independent primaries, in the order of the store. */
  List<Server> shards() {
    return shards;
  }

  /** Every server that runs and is a primary. */
  List<Server> allPrimaries() {
    List<Server> all = new ArrayList<>(primaries());
    all.addAll(shards);
    return all;
  }

  /** Everything that a subscription may lead to. */
  List<Server> all() {
    List<Server> all = new ArrayList<>(nodes);
    all.addAll(shards);
    return all;
  }

  /** Adds an empty primary to the cluster. */
  Server addNode() throws Exception {
    cluster.add();
    return nodes.get(nodes.size() - 1);
  }

  String bootstrapServers() {
    return kafka.bootstrapServers();
  }

  String registryUrl() {
    return registry.url();
  }
}
