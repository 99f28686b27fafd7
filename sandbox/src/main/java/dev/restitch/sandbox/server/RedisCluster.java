package dev.restitch.sandbox.server;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A cluster of primaries without replicas, all slots assigned and agreed on. Thread-safe. */
public final class RedisCluster implements AutoCloseable {

  private static final Pattern BUS_PORT = Pattern.compile("@(\\d+)");
  private static final int SLOTS = 16_384;
  private static final Duration AGREED_IN = Duration.ofSeconds(30);

  private final List<RedisProcess> nodes;

  private RedisCluster(List<RedisProcess> nodes) {
    this.nodes = List.copyOf(nodes);
  }

  /** Starts three primaries. */
  public static RedisCluster start(Scratch scratch) throws Exception {
    return start(scratch, 3);
  }

  /** Starts this many primaries. */
  public static RedisCluster start(Scratch scratch, int primaries) throws Exception {
    List<RedisProcess> nodes = new ArrayList<>();
    RedisCluster cluster = null;
    try {
      for (int i = 0; i < primaries; i++) {
        nodes.add(
            RedisProcess.start(
                scratch,
                List.of(
                    "--cluster-enabled",
                    "yes",
                    "--cluster-node-timeout",
                    "2000",
                    "--cluster-port",
                    Integer.toString(Ports.free()))));
      }
      assignSlots(nodes);
      meet(nodes);
      if (!Attempts.until(AGREED_IN, () -> agreed(nodes))) {
        throw new IOException("the cluster's nodes did not agree in time");
      }
      cluster = new RedisCluster(nodes);
      return cluster;
    } finally {
      if (cluster == null) {
        nodes.forEach(RedisProcess::close);
      }
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

  private static void meet(List<RedisProcess> nodes) throws IOException {
    try (RespConnection first = new RespConnection(nodes.get(0).port())) {
      for (RedisProcess other : nodes.subList(1, nodes.size())) {
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
    for (RedisProcess node : nodes) {
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

  /** The primaries; the first holds the lowest slots. */
  public List<RedisProcess> nodes() {
    return nodes;
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
