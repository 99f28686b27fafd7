package dev.restitch.store;

import dev.restitch.config.ShardMap;
import dev.restitch.config.StoreConfig;
import dev.restitch.model.Bytes;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.resource.ClientResources;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32;

/**
 * One or several independent primaries. With several, a key lives where the configuration's map
 * says, else on the shard whose number is its CRC-32 (as of zlib, unsigned) modulo the number of
 * shards, in the order of the configuration.
 */
final class ShardedStoreClient implements StoreClient {

  private final String name;
  private final ShardMap map;
  private final ClientResources resources = ConnectionSettings.resources();
  private final RedisClient client = RedisClient.create(resources);
  private final List<ServerNode> shards = new ArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  private ShardedStoreClient(StoreConfig config) {
    this.name = config.name();
    this.map = config.shardMap();
  }

  /** Connects to every shard. */
  static ShardedStoreClient open(StoreConfig config, String clientName) {
    ShardedStoreClient opened = new ShardedStoreClient(config);
    String address = "its URI";
    try {
      opened.client.setOptions(ConnectionSettings.options(config));
      for (RedisURI uri : ConnectionSettings.uris(config, clientName)) {
        address = ConnectionSettings.address(uri);
        ServerNode shard = new ServerNode(opened.client, uri);
        shard.connect();
        opened.shards.add(shard);
      }
      return opened;
    } catch (StoreException e) {
      opened.close();
      throw e;
    } catch (RuntimeException e) {
      opened.close();
      throw new StoreException(
          config.name(), address, "cannot connect: " + StoreException.reason(e), e);
    }
  }

  /** The number of the shard that holds a key. */
  static int shardOf(Bytes key, int shards) {
    if (shards == 1) {
      return 0;
    }
    CRC32 crc = new CRC32();
    crc.update(key.toBuffer());
    return (int) (crc.getValue() % shards);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public RedisClusterAsyncCommands<byte[], byte[]> commands(Bytes key) {
    return nodeOf(key).commands();
  }

  @Override
  public StoreNode nodeOf(Bytes key) {
    return shards.get(map == null ? shardOf(key, shards.size()) : map.shardOf(key));
  }

  @Override
  public List<StoreNode> primaries() {
    return List.copyOf(shards);
  }

  @Override
  public void onTopologyChange(Runnable listener) {
    // the shards are fixed by the configuration
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      Shutdown.of(name, resources, client);
    }
  }
}
