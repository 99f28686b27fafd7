package dev.restitch.read;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import redis.embedded.RedisServer;

/** A real server process on loopback, with a folder of its own, and commands to it. */
public final class TestRedis implements AutoCloseable {

  private final Path folder;
  private final int port;
  private final RedisServer server;
  private final RedisClient client;
  private final StatefulRedisConnection<byte[], byte[]> connection;

  private TestRedis(String... settings) {
    try {
      folder = Files.createTempDirectory("restitch-redis");
      port = freePort();
      var builder =
          RedisServer.builder()
              .port(port)
              .setting("bind 127.0.0.1")
              .setting("dir " + folder)
              .setting("save \"\"")
              .setting("appendonly no")
              .setting("daemonize no");
      for (String setting : settings) {
        builder.setting(setting);
      }
      server = builder.build();
      server.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    client = RedisClient.create(RedisURI.create("127.0.0.1", port));
    connection = client.connect(ByteArrayCodec.INSTANCE);
  }

  /** A primary that tells its key events. */
  public static TestRedis primary() {
    return new TestRedis("notify-keyspace-events KEA");
  }

  /** A primary that tells none. */
  public static TestRedis silent() {
    return new TestRedis();
  }

  /** A primary with settings of its own. */
  public static TestRedis with(String... settings) {
    return new TestRedis(settings);
  }

  /** Primaries that share the slots of a cluster, in order. */
  public static List<TestRedis> cluster(int nodes) {
    List<TestRedis> cluster =
        Stream.generate(
                () ->
                    new TestRedis(
                        "notify-keyspace-events KEA",
                        "cluster-enabled yes",
                        "cluster-node-timeout 2000"))
            .limit(nodes)
            .toList();
    for (int i = 0; i < nodes; i++) {
      int from = 16384 * i / nodes;
      int to = 16384 * (i + 1) / nodes - 1;
      cluster.get(i).commands().clusterAddSlots(IntStream.rangeClosed(from, to).toArray());
      cluster.get(i).commands().clusterMeet("127.0.0.1", cluster.get(0).port());
    }
    return cluster;
  }

  /** A primary that also speaks TLS, on a port of its own. */
  public static TestRedis tls(int tlsPort, TestCertificate certificate) {
    return new TestRedis(
        "notify-keyspace-events KEA",
        "tls-port " + tlsPort,
        "tls-cert-file " + certificate.chain(),
        "tls-key-file " + certificate.key(),
        "tls-ca-cert-file " + certificate.chain(),
        "tls-auth-clients no");
  }

  /** An empty node that can join a cluster. */
  public static TestRedis clusterNode() {
    return new TestRedis(
        "notify-keyspace-events KEA",
        "cluster-enabled yes",
        "cluster-node-timeout 1500",
        "cluster-allow-replica-migration no",
        "repl-diskless-sync-delay 0");
  }

  /** Primaries that share the slots of a cluster, each followed by its replica, in order. */
  public static List<TestRedis> replicated(int primaries) {
    List<TestRedis> all = Stream.generate(TestRedis::clusterNode).limit(2L * primaries).toList();
    for (int i = 0; i < primaries; i++) {
      int from = 16384 * i / primaries;
      int to = 16384 * (i + 1) / primaries - 1;
      all.get(2 * i).commands().clusterAddSlots(IntStream.rangeClosed(from, to).toArray());
    }
    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(500))
        .until(() -> all.stream().allMatch(node -> node.knows(all)));
    for (int i = 0; i < primaries; i++) {
      all.get(2 * i + 1).commands().clusterReplicate(all.get(2 * i).commands().clusterMyId());
    }
    return all;
  }

  /**
   * True if it knows all nodes by their names; meets them, perhaps once more, where it does not.
   */
  private boolean knows(List<TestRedis> all) {
    String known = commands().clusterNodes();
    List<TestRedis> strangers =
        all.stream().filter(node -> !known.contains(node.commands().clusterMyId())).toList();
    strangers.forEach(node -> commands().clusterMeet("127.0.0.1", node.port()));
    return strangers.isEmpty();
  }

  /** Ends the process with SIGKILL. */
  public void kill() {
    commands()
        .info("server")
        .lines()
        .filter(line -> line.startsWith("process_id:"))
        .map(line -> Long.parseLong(line.substring("process_id:".length()).trim()))
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .forEach(ProcessHandle::destroyForcibly);
  }

  public int port() {
    return port;
  }

  public String uri() {
    return "redis://127.0.0.1:" + port;
  }

  public String address() {
    return "127.0.0.1:" + port;
  }

  public RedisCommands<byte[], byte[]> commands() {
    return connection.sync();
  }

  public void set(String key, String value) {
    commands().set(bytes(key), bytes(value));
  }

  public void del(String key) {
    commands().del(bytes(key));
  }

  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static int freePort() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(21_000, 29_000);
      if (free(port) && free(port + 10_000)) {
        return port;
      }
    }
  }

  private static boolean free(int port) {
    try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return probe.isBound();
    } catch (IOException taken) {
      return false;
    }
  }

  @Override
  public void close() {
    client.shutdown();
    try {
      server.stop();
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
