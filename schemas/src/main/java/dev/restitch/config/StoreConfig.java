package dev.restitch.config;

import java.util.List;

/**
 * A named Valkey or Redis deployment.
 *
 * @param kind one primary, client-side sharded primaries, or a cluster
 * @param uris one for {@link Kind#STANDALONE}; the shards in order for {@link Kind#SHARDED}; seed
 *     nodes for {@link Kind#CLUSTER}. Redis URIs ({@code redis://}, {@code rediss://})
 * @param username ACL user; null: default
 * @param password secret; null: none
 * @param verifyPeer verify TLS certificates and host names
 * @param truststore path of a PEM or PKCS12 trust store; null: the JDK's
 * @param shardMap where keys live, for {@link Kind#SHARDED}; null: on the shard whose number is
 *     their CRC-32 modulo the number of shards
 */
public record StoreConfig(
    String name,
    Kind kind,
    List<String> uris,
    String username,
    Secret password,
    boolean verifyPeer,
    String truststore,
    ShardMap shardMap) {

  /** A store whose keys, where it has several shards, live where their CRC-32 says. */
  public StoreConfig(
      String name,
      Kind kind,
      List<String> uris,
      String username,
      Secret password,
      boolean verifyPeer,
      String truststore) {
    this(name, kind, uris, username, password, verifyPeer, truststore, null);
  }

  /** How the primaries are laid out. */
  public enum Kind {
    STANDALONE,
    SHARDED,
    CLUSTER
  }
}
