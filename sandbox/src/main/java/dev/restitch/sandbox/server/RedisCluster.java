package dev.restitch.sandbox.server;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A cluster of primaries and perhaps replicas, all slots assigned and agreed on. Thread-safe. */
public final class RedisCluster implements AutoCloseable {

  private static final Pattern BUS_PORT = Pattern.compile("@(\\d+)");
  private static final int SLOTS = 16_384;
  private static final Duration AGREED_IN = Duration.ofSeconds(30);

  private final Scratch scratch;
  private final Node node;
  private final List<RedisProcess> nodes;
  private final int primaries;

  private RedisCluster(Scratch scratch, Node node, List<RedisProcess> nodes, int primaries) {
    this.scratch = scratch;
    this.node = node;
    this.nodes = nodes;
    this.primaries = primaries;
  }

  /** What is special about each node. */
  public interface Node {

    /** More of its command line, as {@code --name value}. */
    List<String> settings(int index);

    /** Called when it runs. */
    void started(int index, RedisProcess process);

    /** Nothing. */
    static Node plain() {
      return new Node() {
        @Override
        public List<String> settings(int index) {
          return List.of();
        }

        @Override
        public void started(int index, RedisProcess process) {
          // nothing is special about it
        }
      };
    }
  }

  /** Starts three primaries. */
  public static RedisCluster start(Scratch scratch) throws Exception {
    return start(scratch, 3);
  }

  /** Starts this many primaries. */
  public static RedisCluster start(Scratch scratch, int primaries) throws Exception {
    return start(scratch, primaries, 0, Node.plain());
  }

  /**
   * Starts primaries, and then as many replicas of each, which have all data when this returns.
   *
   * @param node what is special about each; first come the primaries, then a replica of each, ...
   */
  public static RedisCluster start(Scratch scratch, int primaries, int replicas, Node node)
      throws Exception {
    List<RedisProcess> nodes = new CopyOnWriteArrayList<>();
    RedisCluster cluster = new RedisCluster(scratch, node, nodes, primaries);
    boolean ready = false;
    try {
      for (int i = 0; i < primaries * (1 + replicas); i++) {
        cluster.launch();
      }
      assignSlots(nodes.subList(0, primaries));
      meet(nodes.get(0), nodes.subList(1, nodes.size()));
      await(() -> agreed(nodes), "the cluster's nodes did not agree in time");
      for (int i = primaries; i < nodes.size(); i++) {
        follow(nodes.get(i), nodes.get(i % primaries));
      }
      for (RedisProcess replica : nodes.subList(primaries, nodes.size())) {
        await(() -> synced(replica), "a replica did not get its primary's data in time");
      }
      ready = true;
      return cluster;
    } finally {
      if (!ready) {
        cluster.close();
      }
    }
  }

  /** Starts one more node, that belongs to the cluster and holds no slots. */
  public RedisProcess add() throws Exception {
    RedisProcess added = launch();
    meet(nodes.get(primaries - 1), List.of(added));
    await(() -> agreed(nodes), "the cluster's nodes did not agree in time");
    return added;
  }

  private RedisProcess launch() throws Exception {
    int index = nodes.size();
    List<String> settings = new ArrayList<>();
    settings.addAll(List.of("--cluster-enabled", "yes", "--cluster-node-timeout", "2000"));
    settings.addAll(List.of("--cluster-port", Integer.toString(Ports.free())));
    settings.addAll(List.of("--repl-diskless-sync-delay", "0"));
    settings.addAll(List.of("--cluster-allow-replica-migration", "no"));
    settings.addAll(node.settings(index));
    RedisProcess process = RedisProcess.start(scratch, settings);
    nodes.add(process);
    node.started(index, process);
    return process;
  }

  private static void await(Callable<Boolean> ready, String otherwise) throws Exception {
    if (!Attempts.until(AGREED_IN, ready)) {
      throw new IOException(otherwise);
    }
  }

  private static void follow(RedisProcess replica, RedisProcess primary) throws Exception {
    String id;
    try (RespConnection connection = new RespConnection(primary.port())) {
      id = connection.call("CLUSTER", "MYID");
    }
    try (RespConnection connection = new RespConnection(replica.port())) {
      connection.call("CLUSTER", "REPLICATE", id);
    }
  }

  private static boolean synced(RedisProcess replica) throws IOException {
    try (RespConnection connection = new RespConnection(replica.port())) {
      return connection.call("INFO", "replication").contains("master_link_status:up");
    }
  }

  private static void assignSlots(List<RedisProcess> nodes) throws IOException {
    for (int i = 0; i < nodes.size(); i++) {
      int from = SLOTS * i / nodes.size();
      int to = SLOTS * (i + 1) / nodes.size() - 1;
      try (RespConnection node = new RespConnection(nodes.get(i).port())) {
        node.call("CLUSTER", "ADDSLOTSRANGE", Integer.toString(from), Integer.toString(to));
        node.call("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
      }
    }
  }

  private static void meet(RedisProcess one, List<RedisProcess> others) throws IOException {
    try (RespConnection first = new RespConnection(one.port())) {
      for (RedisProcess other : others) {
        String busPort;
        try (RespConnection node = new RespConnection(other.port())) {
          busPort = busPort(node.call("CLUSTER", "NODES"));
        }
        first.call("CLUSTER", "MEET", "127.0.0.1", Integer.toString(other.port()), busPort);
      }
    }
  }

  /** From {@code id host:port@busport ...}. */
  private static String busPort(String nodes) {
    Matcher matcher = BUS_PORT.matcher(nodes);
    if (!matcher.find()) {
      throw new IllegalStateException("no bus port in " + nodes);
    }
    return matcher.group(1);
  }

  private static boolean agreed(List<RedisProcess> nodes) throws IOException {
    List<RedisProcess> alive = nodes.stream().filter(RedisProcess::alive).toList();
    for (RedisProcess node : alive) {
      try (RespConnection connection = new RespConnection(node.port())) {
        String info = connection.call("CLUSTER", "INFO");
        if (!info.contains("cluster_state:ok")
            || !info.contains("cluster_known_nodes:" + nodes.size())
            || !info.contains("cluster_slots_assigned:" + SLOTS)) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * All nodes: first those that began as primaries, of which the first holds the lowest slots, then
   * a replica of each, and so on.
   */
  public List<RedisProcess> nodes() {
    return List.copyOf(nodes);
  }

  /** Seed URIs. */
  public List<String> uris() {
    return nodes.stream().map(RedisProcess::uri).toList();
  }

  @Override
  public void close() {
    nodes.forEach(RedisProcess::close);
  }
}
