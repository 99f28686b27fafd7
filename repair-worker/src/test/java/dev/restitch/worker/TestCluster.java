package dev.restitch.worker;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.sync.RedisAdvancedClusterCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import redis.embedded.RedisServer;

/** A real cluster of two primaries on loopback. */
public final class TestCluster implements AutoCloseable {

  private static final int SLOTS = 16_384;
  private static final int NODES = 2;
  private static final int BUS = 10_000;

  private final List<Integer> ports = new ArrayList<>();
  private final List<RedisServer> servers = new ArrayList<>();
  private final Path folder;
  private final RedisClusterClient client;
  private final StatefulRedisClusterConnection<String, String> connection;

  public TestCluster() {
    try {
      folder = Files.createTempDirectory("restitch-cluster");
      for (int i = 0; i < NODES; i++) {
        int port = freePort();
        RedisServer server =
            RedisServer.builder()
                .port(port)
                .setting("bind 127.0.0.1")
                .setting("save \"\"")
                .setting("appendonly no")
                .setting("cluster-enabled yes")
                .setting("cluster-config-file " + folder.resolve("nodes-" + port + ".conf"))
                .build();
        server.start();
        ports.add(port);
        servers.add(server);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (int i = 0; i < NODES; i++) {
      Range<Integer> slots = Range.create(SLOTS * i / NODES, SLOTS * (i + 1) / NODES - 1);
      on(ports.get(i), node -> node.clusterAddSlotsRange(slots));
      on(ports.get(i), node -> node.clusterMeet("127.0.0.1", ports.get(0)));
    }
    await().atMost(Duration.ofSeconds(30)).until(() -> ports.stream().allMatch(this::agrees));
    client = RedisClusterClient.create(uri());
    connection = client.connect();
  }

  private boolean agrees(int port) {
    String info = on(port, RedisCommands::clusterInfo);
    return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:" + NODES);
  }

  private static <T> T on(int port, Function<RedisCommands<String, String>, T> command) {
    RedisClient one = RedisClient.create("redis://127.0.0.1:" + port);
    try (StatefulRedisConnection<String, String> node = one.connect()) {
      return command.apply(node.sync());
    } finally {
      one.shutdown();
    }
  }

  public String uri() {
    return "redis://127.0.0.1:" + ports.get(0);
  }

  public RedisAdvancedClusterCommands<String, String> commands() {
    return connection.sync();
  }

  /** A port whose bus port is free, too. */
  private static int freePort() throws IOException {
    Random random = new Random();
    for (int attempt = 0; ; attempt++) {
      int port = 20_000 + random.nextInt(10_000);
      try (ServerSocket one = new ServerSocket();
          ServerSocket bus = new ServerSocket()) {
        one.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        bus.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port + BUS));
        return port;
      } catch (IOException e) {
        if (attempt == 100) {
          throw e;
        }
      }
    }
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
    servers.forEach(RedisServer::stop);
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
