package dev.restitch.store;

import dev.restitch.config.StoreConfig;
import dev.restitch.model.Bytes;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.event.ClusterTopologyChangedEvent;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;

/**
 * A cluster. Commands by key follow redirections; beside them every primary has a connection of its
 * own, for what must reach that very node.
 */
final class ClusterStoreClient implements StoreClient {

  private static final Logger LOG = LoggerFactory.getLogger(ClusterStoreClient.class);

  private final String name;
  private final RedisURI like;
  private final ClientResources resources = ConnectionSettings.resources();
  private final RedisClusterClient cluster;
  private final RedisClient direct = RedisClient.create(resources);
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private StatefulRedisClusterConnection<byte[], byte[]> connection;
  private Disposable events;

  /** By cluster node id; replaced as a whole. */
  private volatile Map<String, ServerNode> primaries = Map.of();

  private ClusterStoreClient(StoreConfig config, List<RedisURI> seeds) {
    this.name = config.name();
    this.like = seeds.get(0);
    this.cluster = RedisClusterClient.create(resources, seeds);
  }

  /** Connects to the cluster; its primaries follow in the background. */
  static ClusterStoreClient open(StoreConfig config, String clientName) {
    List<RedisURI> seeds = ConnectionSettings.uris(config, clientName);
    ClusterStoreClient opened = new ClusterStoreClient(config, seeds);
    try {
      opened.start(config);
      return opened;
    } catch (RuntimeException e) {
      opened.close();
      String addresses =
          String.join(", ", seeds.stream().map(ConnectionSettings::address).toList());
      throw e instanceof StoreException known
          ? known
          : new StoreException(
              config.name(), addresses, "cannot join the cluster: " + StoreException.reason(e), e);
    }
  }

  private void start(StoreConfig config) {
    cluster.setOptions(ConnectionSettings.clusterOptions(config));
    direct.setOptions(ConnectionSettings.options(config));
    connection = cluster.connect(ByteArrayCodec.INSTANCE);
    events =
        resources
            .eventBus()
            .get()
            .filter(ClusterTopologyChangedEvent.class::isInstance)
            .subscribe(event -> follow());
    CompletableFuture.allOf(adopt(), reach()).join();
  }

  private void follow() {
    if (closed.get()) {
      return;
    }
    CompletableFuture<Void> unused = CompletableFuture.allOf(adopt(), reach());
    for (Runnable listener : listeners) {
      try {
        listener.run();
      } catch (RuntimeException e) {
        LOG.atError().addKeyValue("store", name).setCause(e).log("topology listener failed");
      }
    }
  }

  /**
   * Connects to every node that commands by key may lead to: what is sent before that is refused,
   * like anything sent while disconnected. Completes when all are reached or have failed.
   */
  private CompletableFuture<Void> reach() {
    return CompletableFuture.allOf(
        cluster.getPartitions().stream()
            .filter(node -> node.is(NodeFlag.UPSTREAM) && !node.is(NodeFlag.FAIL))
            .map(RedisClusterNode::getUri)
            .map(
                uri ->
                    connection
                        .getConnectionAsync(uri.getHost(), uri.getPort())
                        .<Void>handle(
                            (open, failure) -> {
                              if (failure != null) {
                                LOG.atWarn()
                                    .addKeyValue("store", name)
                                    .addKeyValue("node", ConnectionSettings.address(uri))
                                    .addKeyValue("reason", StoreException.reason(failure))
                                    .log("node not reached");
                              }
                              return null;
                            }))
            .toArray(CompletableFuture<?>[]::new));
  }

  /** Takes the primaries over; completes when new ones are reached or have failed. */
  private synchronized CompletableFuture<Void> adopt() {
    List<CompletableFuture<Void>> fresh = new ArrayList<>();
    Map<String, ServerNode> before = primaries;
    Map<String, ServerNode> now = new LinkedHashMap<>();
    for (RedisClusterNode node : cluster.getPartitions()) {
      if (!servesKeys(node)) {
        continue;
      }
      RedisURI uri = ConnectionSettings.at(like, node.getUri().getHost(), node.getUri().getPort());
      ServerNode known = before.get(node.getNodeId());
      if (known != null && known.id().equals(ConnectionSettings.address(uri))) {
        now.put(node.getNodeId(), known);
      } else {
        ServerNode added = new ServerNode(direct, uri);
        fresh.add(added.connectAsync());
        now.put(node.getNodeId(), added);
      }
      now.get(node.getNodeId()).serves(node.getSlots().size());
    }
    primaries = java.util.Collections.unmodifiableMap(now);
    before.values().stream().filter(n -> !now.containsValue(n)).forEach(ServerNode::closeAsync);
    LOG.atInfo()
        .addKeyValue("store", name)
        .addKeyValue("primaries", now.values().stream().map(ServerNode::id).toList())
        .log("cluster topology");
    return CompletableFuture.allOf(fresh.toArray(CompletableFuture<?>[]::new));
  }

  private static boolean servesKeys(RedisClusterNode node) {
    return node.is(NodeFlag.UPSTREAM)
        && !node.is(NodeFlag.FAIL)
        && !node.is(NodeFlag.HANDSHAKE)
        && !node.is(NodeFlag.NOADDR)
        && !node.hasNoSlots();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public RedisClusterAsyncCommands<byte[], byte[]> commands(Bytes key) {
    return connection.async();
  }

  @Override
  public StoreNode nodeOf(Bytes key) {
    int slot = SlotHash.getSlot(key.toArray());
    RedisClusterNode owner = cluster.getPartitions().getPartitionBySlot(slot);
    ServerNode node = owner == null ? null : primaries.get(owner.getNodeId());
    if (node == null) {
      throw new StoreException(
          name, ConnectionSettings.address(like), "no primary serves slot " + slot, null);
    }
    return node;
  }

  @Override
  public boolean cluster() {
    return true;
  }

  @Override
  public List<StoreNode> primaries() {
    return List.copyOf(primaries.values());
  }

  @Override
  public void onTopologyChange(Runnable listener) {
    listeners.add(listener);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      if (events != null) {
        events.dispose();
      }
      Shutdown.of(name, resources, cluster, direct);
    }
  }
}
