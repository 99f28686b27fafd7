package dev.restitch.store;

import dev.restitch.config.StoreConfig;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions.RefreshTrigger;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How every connection to a store is made: bounded queues, nothing queued while disconnected,
 * nothing sent twice, every command with a timeout.
 */
final class ConnectionSettings {

  /** Commands in flight per connection at most; one more is refused at once. */
  static final int REQUEST_QUEUE = 65_536;

  /** How long a command may take, unless the URI says otherwise. */
  static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(3);

  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  private static final Duration RECONNECT_FIRST = Duration.ofMillis(20);
  private static final Duration RECONNECT_LONGEST = Duration.ofSeconds(2);
  private static final Duration TOPOLOGY_PERIOD = Duration.ofSeconds(5);
  private static final Duration TOPOLOGY_TRIGGER_PAUSE = Duration.ofSeconds(1);

  private ConnectionSettings() {}

  /** Threads and timers of one store's connections; the owner shuts them down. */
  static ClientResources resources() {
    return DefaultClientResources.builder()
        .reconnectDelay(
            Delay.exponential(RECONNECT_FIRST, RECONNECT_LONGEST, 2, TimeUnit.MILLISECONDS))
        .build();
  }

  /** The URIs of a store with its credentials, client name, timeouts and TLS settings. */
  static List<RedisURI> uris(StoreConfig config, String clientName) {
    return config.uris().stream().map(uri -> uri(config, uri, clientName)).toList();
  }

  private static RedisURI uri(StoreConfig config, String text, String clientName) {
    RedisURI uri = RedisURI.create(text);
    if (uri.getTimeout().equals(RedisURI.DEFAULT_TIMEOUT_DURATION)) {
      uri.setTimeout(COMMAND_TIMEOUT);
    }
    if (config.password() != null) {
      char[] password = config.password().reveal().toCharArray();
      if (config.username() == null) {
        uri.setAuthentication(password);
      } else {
        uri.setAuthentication(config.username(), password);
      }
    }
    if (clientName != null) {
      uri.setClientName(clientName);
    }
    uri.setVerifyPeer(config.verifyPeer() ? SslVerifyMode.FULL : SslVerifyMode.NONE);
    return uri;
  }

  /** The same settings for another node of the same store. */
  static RedisURI at(RedisURI like, String host, int port) {
    RedisURI uri = RedisURI.builder(like).withHost(host).withPort(port).build();
    uri.setTimeout(like.getTimeout());
    return uri;
  }

  /** {@code host:port}, never the credentials. */
  static String address(RedisURI uri) {
    return uri.getHost() + ":" + uri.getPort();
  }

  static ClientOptions options(StoreConfig config) {
    ClientOptions.Builder options = ClientOptions.builder();
    apply(options, config);
    return options.build();
  }

  static ClusterClientOptions clusterOptions(StoreConfig config) {
    ClusterClientOptions.Builder options = ClusterClientOptions.builder();
    apply(options, config);
    return options
        .topologyRefreshOptions(
            ClusterTopologyRefreshOptions.builder()
                .enablePeriodicRefresh(TOPOLOGY_PERIOD)
                .enableAdaptiveRefreshTrigger(RefreshTrigger.values())
                .adaptiveRefreshTriggersTimeout(TOPOLOGY_TRIGGER_PAUSE)
                .build())
        .build();
  }

  private static void apply(ClientOptions.Builder options, StoreConfig config) {
    options
        .autoReconnect(true)
        .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
        .requestQueueSize(REQUEST_QUEUE)
        .replayFilter(command -> true)
        .timeoutOptions(TimeoutOptions.enabled())
        .maintNotificationsConfig(MaintNotificationsConfig.disabled())
        .socketOptions(
            SocketOptions.builder()
                .connectTimeout(CONNECT_TIMEOUT)
                .keepAlive(true)
                .tcpNoDelay(true)
                .build());
    if (config.truststore() != null) {
      options.sslOptions(trusting(config));
    }
  }

  private static SslOptions trusting(StoreConfig config) {
    File file = new File(config.truststore());
    try {
      return pem(file.toPath())
          ? SslOptions.builder().trustManager(file).build()
          : SslOptions.builder().truststore(file).build();
    } catch (IOException e) {
      throw new StoreException(
          config.name(),
          String.join(", ", config.uris().stream().map(u -> address(RedisURI.create(u))).toList()),
          "cannot read the trust store " + file,
          e);
    }
  }

  private static boolean pem(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(64 * 1024), StandardCharsets.ISO_8859_1)
          .contains("-----BEGIN");
    }
  }
}
