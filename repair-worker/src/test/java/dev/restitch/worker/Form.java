package dev.restitch.worker;

import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.util.List;
import java.util.TreeMap;

/** What a client, who knows nothing of the worker, does with a side of each form. */
public enum Form {
  STRING {
    @Override
    public void write(
        RedisClusterCommands<String, String> client, String key, long version, String token) {
      client.set(key, version + ":" + token + ":" + token + "-payload");
    }

    @Override
    public String show(RedisClusterCommands<String, String> client, String key) {
      return String.valueOf(client.get(key));
    }
  },
  HASH {
    @Override
    public void write(
        RedisClusterCommands<String, String> client, String key, long version, String token) {
      client.hset(
          key,
          java.util.Map.of("v", Long.toString(version), "t", token, "body", token + "-payload"));
    }

    @Override
    public String show(RedisClusterCommands<String, String> client, String key) {
      TreeMap<String, String> fields = new TreeMap<>(client.hgetall(key));
      return fields.isEmpty() ? "null" : fields.toString();
    }
  },
  LIST {
    @Override
    public void write(
        RedisClusterCommands<String, String> client, String key, long version, String token) {
      client.rpush(key, token + ":" + token + "-payload");
    }

    @Override
    public String show(RedisClusterCommands<String, String> client, String key) {
      List<String> entries = client.lrange(key, 0, -1);
      return entries.isEmpty() ? "null" : entries.toString();
    }
  },
  ZSET {
    @Override
    public void write(
        RedisClusterCommands<String, String> client, String key, long version, String token) {
      client.zadd(key, (double) version, token + ":" + token + "-payload");
    }

    @Override
    public String show(RedisClusterCommands<String, String> client, String key) {
      List<String> entries = client.zrange(key, 0, -1);
      return entries.isEmpty() ? "null" : entries.toString();
    }
  };

  /** Writes a side, or appends to a log. */
  public abstract void write(
      RedisClusterCommands<String, String> client, String key, long version, String token);

  /** All that stands there; {@code null} as text where nothing does. */
  public abstract String show(RedisClusterCommands<String, String> client, String key);

  public boolean log() {
    return this == LIST || this == ZSET;
  }
}
