package dev.restitch.worker.serve;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.restitch.config.ManagementConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/**
 * The worker's management port: {@code /livez /readyz /metrics}, to be read only. Where a token is
 * configured, metrics ask for it. Thread-safe.
 */
public final class WorkerPort implements AutoCloseable {

  private static final int BACKLOG = 16;

  private final ManagementConfig config;
  private final HttpServer server;
  private final ExecutorService threads;

  /**
   * How the worker stands.
   *
   * @param live false: it must be started anew
   * @param ready true: it is given commands
   */
  public record Health(BooleanSupplier live, BooleanSupplier ready) {}

  /**
   * Listens at once.
   *
   * @throws IOException if the port is taken, with what to change
   */
  public WorkerPort(ManagementConfig config, Health health, PrometheusMeterRegistry meters)
      throws IOException {
    this.config = config;
    InetSocketAddress address = new InetSocketAddress(config.host(), config.workerPort());
    try {
      this.server = HttpServer.create(address, BACKLOG);
    } catch (IOException e) {
      throw new IOException(
          "cannot listen on "
              + config.host()
              + ":"
              + config.workerPort()
              + " ("
              + e.getMessage()
              + "); set management.worker-port to a free port, or to 0 for any",
          e);
    }
    this.threads =
        Executors.newFixedThreadPool(
            2,
            task -> {
              Thread made = new Thread(task, "restitch-worker-port");
              made.setDaemon(true);
              return made;
            });
    server.setExecutor(threads);
    server.createContext("/livez", exchange -> state(exchange, health.live().getAsBoolean()));
    server.createContext("/readyz", exchange -> state(exchange, health.ready().getAsBoolean()));
    server.createContext("/metrics", exchange -> metrics(exchange, meters));
    server.createContext("/", exchange -> answer(exchange, 404, "there is nothing at this path\n"));
    server.start();
  }

  /** The port that it listens on. */
  public int port() {
    return server.getAddress().getPort();
  }

  private static void state(HttpExchange exchange, boolean good) throws IOException {
    answer(exchange, good ? 200 : 503, good ? "ok\n" : "not ok\n");
  }

  private void metrics(HttpExchange exchange, PrometheusMeterRegistry meters) throws IOException {
    if (allowed(exchange)) {
      answer(exchange, 200, meters.scrape());
    } else {
      answer(exchange, 401, "give the management token as 'Authorization: Bearer TOKEN'\n");
    }
  }

  private boolean allowed(HttpExchange exchange) {
    if (config.token() == null) {
      return true;
    }
    String given = exchange.getRequestHeaders().getFirst("Authorization");
    byte[] expected = ("Bearer " + config.token().reveal()).getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(
        expected, (given == null ? "" : given).getBytes(StandardCharsets.UTF_8));
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    try (exchange) {
      boolean reads = exchange.getRequestMethod().equals("GET");
      byte[] body = (reads ? text : "read only\n").getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
      exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
      exchange.getResponseHeaders().set("Cache-Control", "no-store");
      exchange.sendResponseHeaders(reads ? status : 405, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** Idempotent. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdown();
  }
}
