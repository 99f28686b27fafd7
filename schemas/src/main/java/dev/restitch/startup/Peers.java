package dev.restitch.startup;

import dev.restitch.config.RestitchConfig;
import dev.restitch.config.StoreConfig;
import dev.restitch.kafka.KafkaClients;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.store.StoreClient;
import dev.restitch.store.StoreClients;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;

/** Waits for the peers that every service has, as {@link Patience} does. */
public final class Peers {

  private static final int ATTEMPT_MILLIS = 5_000;

  private Peers() {}

  /**
   * Waits until a broker answers.
   *
   * @throws UnreachableException after the configured patience
   */
  public static void awaitKafka(RestitchConfig config) {
    Patience.await(
        "Kafka",
        KafkaClients.address(config),
        "that the brokers run, that kafka.bootstrap.servers names them, and that the listener, TLS"
            + " and SASL settings under kafka fit theirs",
        config.startupPatience(),
        () -> describeCluster(config));
  }

  private static String describeCluster(RestitchConfig config) throws Exception {
    try (Admin admin = KafkaClients.admin(config)) {
      DescribeClusterOptions options = new DescribeClusterOptions().timeoutMs(ATTEMPT_MILLIS);
      return admin
          .describeCluster(options)
          .clusterId()
          .get(2L * ATTEMPT_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /**
   * Waits until the schema registry answers and lets us in.
   *
   * @throws UnreachableException after the configured patience
   */
  public static void awaitRegistry(RestitchConfig config, SchemaRegistry registry) {
    await(
        "the schema registry",
        registry.address(),
        "that it runs, and that registry.url, registry.username and registry.password are right",
        config.startupPatience(),
        registry::ping);
  }

  /**
   * Waits until a store lets us in, and opens it; the caller closes it.
   *
   * @throws UnreachableException after the configured patience
   */
  public static StoreClient awaitStore(
      RestitchConfig config, StoreConfig store, String clientName) {
    return Patience.await(
        "store '" + store.name() + "'",
        String.join(", ", store.uris().stream().map(Peers::withoutCredentials).toList()),
        "that the server runs, that stores." + store.name() + " names it, and its credentials",
        config.startupPatience(),
        () -> StoreClients.open(store, clientName));
  }

  /** An address without user information and parameters, both of which may carry a password. */
  public static String withoutCredentials(String url) {
    return url.replaceFirst("//[^/@]*@", "//").replaceFirst("[?;].*$", "");
  }

  /**
   * Waits until a port takes connections.
   *
   * @throws UnreachableException after the patience
   */
  public static void awaitPort(
      String what, String host, int port, String check, Duration patience) {
    await(what, host + ":" + port, check, patience, () -> connect(host, port));
  }

  /**
   * Waits until an attempt returns without an exception; see {@link Patience#await}.
   *
   * @throws UnreachableException after the patience
   */
  public static void await(
      String what, String address, String check, Duration patience, Attempt attempt) {
    Patience.await(
        what,
        address,
        check,
        patience,
        () -> {
          attempt.make();
          return what;
        });
  }

  /** One try to reach a peer. */
  @FunctionalInterface
  public interface Attempt {

    /** Returns if the peer was reached. */
    void make() throws Exception;
  }

  private static void connect(String host, int port) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), ATTEMPT_MILLIS);
    }
  }
}
