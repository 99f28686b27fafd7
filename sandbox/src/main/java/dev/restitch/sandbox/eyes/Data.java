package dev.restitch.sandbox.eyes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.RedisURI;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.CRC32;

/**
 * The application's way to the data: one side of an instance in the cluster, the other in one of
 * the independent primaries. Thread-safe.
 */
final class Data implements AutoCloseable {

  private static final long ANSWER_MILLIS = 800;
  private static final long ALL_MILLIS = 60_000;

  private final Servers servers;
  private final RedisClusterClient client;
  private final StatefulRedisClusterConnection<byte[], byte[]> cluster;

  Data(Servers servers) {
    this.servers = servers;
    client =
        RedisClusterClient.create(
            servers.nodes().stream().map(n -> RedisURI.create(n.proxy().uri())).toList());
    ClusterClientOptions.Builder options = ClusterClientOptions.builder();
    // what could not be sent is not sent later: it would tear what is settled by then
    options.disconnectedBehavior(ClusterClientOptions.DisconnectedBehavior.REJECT_COMMANDS);
    options.replayFilter(command -> true);
    options.topologyRefreshOptions(
        ClusterTopologyRefreshOptions.builder()
            .enablePeriodicRefresh(Duration.ofMillis(500))
            .enableAllAdaptiveRefreshTriggers()
            .build());
    client.setOptions(options.build());
    cluster = client.connect(ByteArrayCodec.INSTANCE);
  }

  static byte[] profile(String id) {
    return ("user:" + id + ":profile").getBytes(UTF_8);
  }

  static byte[] settings(String id) {
    return ("user:" + id + ":settings").getBytes(UTF_8);
  }

  private static byte[] value(String id, long version) {
    return (version + ":" + id + "-" + version + ":payload").getBytes(UTF_8);
  }

  /** The server that holds the key, by the rule of the store. */
  Server shardOf(byte[] key) {
    CRC32 crc = new CRC32();
    crc.update(key);
    return servers.shards().get((int) (crc.getValue() % servers.shards().size()));
  }

  private RedisAsyncCommands<byte[], byte[]> shard(byte[] key) {
    return shardOf(key).commands().getStatefulConnection().async();
  }

  /** Writes the side in the cluster; false: it may have been written or not. */
  boolean writeProfile(String id, long version) throws InterruptedException {
    return answered(cluster.async().set(profile(id), value(id, version)));
  }

  /** Writes the side in an independent primary; false: it may have been written or not. */
  boolean writeSettings(String id, long version) throws InterruptedException {
    return answered(shard(settings(id)).set(settings(id), value(id, version)));
  }

  private static boolean answered(CompletionStage<?> asked) throws InterruptedException {
    try {
      asked.toCompletableFuture().get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
      return true;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
  }

  /** Writes both sides of all, again where there was no answer. */
  void writeAll(List<String> ids, long version) throws InterruptedException, IOException {
    List<String> left = ids;
    for (long deadline = deadline(); !left.isEmpty(); ) {
      Map<String, CompletableFuture<?>> asked = new LinkedHashMap<>();
      for (String id : left) {
        CompletableFuture<?> profile =
            cluster.async().set(profile(id), value(id, version)).toCompletableFuture();
        CompletableFuture<?> settings =
            shard(settings(id)).set(settings(id), value(id, version)).toCompletableFuture();
        asked.put(id, CompletableFuture.allOf(profile, settings));
      }
      left = unanswered(asked, deadline);
    }
  }

  /** Reads both sides of all, straight from the primaries; those whose stamps differ are torn. */
  Set<String> torn(List<String> ids) throws InterruptedException, IOException {
    Set<String> torn = ConcurrentHashMap.newKeySet();
    List<String> left = ids;
    for (long deadline = deadline(); !left.isEmpty(); ) {
      Map<String, CompletableFuture<?>> asked = new LinkedHashMap<>();
      for (String id : left) {
        asked.put(
            id,
            cluster
                .async()
                .get(profile(id))
                .thenCombine(shard(settings(id)).get(settings(id)), Arrays::equals)
                .thenAccept(
                    same -> {
                      if (!same) {
                        torn.add(id);
                      }
                    })
                .toCompletableFuture());
      }
      left = unanswered(asked, deadline);
    }
    return torn;
  }

  private static long deadline() {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ALL_MILLIS);
  }

  private static List<String> unanswered(Map<String, CompletableFuture<?>> asked, long deadline)
      throws InterruptedException, IOException {
    List<String> left = new ArrayList<>();
    for (Map.Entry<String, CompletableFuture<?>> one : asked.entrySet()) {
      if (!answered(one.getValue())) {
        left.add(one.getKey());
      }
    }
    if (!left.isEmpty() && System.nanoTime() > deadline) {
      throw new IOException("no answer for " + left.size() + " instances, such as " + left.get(0));
    }
    return left;
  }

  @Override
  public void close() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
  }
}
