package dev.restitch.sandbox.registry;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.restitch.sandbox.registry.RegistryRoutes.Request;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A schema registry inside this process, on a loopback port, that speaks the part of Confluent's
 * API that clients of Avro topics need. Keeps everything in memory; no authentication. Thread-safe.
 */
public final class EmbeddedRegistry implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(EmbeddedRegistry.class);
  private static final String CONTENT_TYPE = "application/vnd.schemaregistry.v1+json";
  private static final int LONGEST_BODY = 1024 * 1024;
  private static final int THREADS = 4;
  private static final byte[] LOOPBACK = {127, 0, 0, 1};
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final ExecutorService threads;
  private final RegistryRoutes routes;

  private EmbeddedRegistry(HttpServer server, RegistryRoutes routes) {
    this.server = server;
    this.routes = routes;
    AtomicInteger number = new AtomicInteger();
    this.threads =
        Executors.newFixedThreadPool(
            THREADS,
            work -> {
              Thread thread = new Thread(work, "registry-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Starts one on a free port.
   *
   * @throws IOException if no port can be had
   */
  public static EmbeddedRegistry start() throws IOException {
    return start(0);
  }

  /**
   * Starts one.
   *
   * @param port 0: any free one
   * @throws IOException if the port cannot be had
   */
  public static EmbeddedRegistry start(int port) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port);
    HttpServer server = HttpServer.create(address, 0);
    EmbeddedRegistry registry = new EmbeddedRegistry(server, new RegistryRoutes(new Subjects()));
    server.setExecutor(registry.threads);
    server.createContext("/", registry::handle);
    server.start();
    return registry;
  }

  /** Its address, such as {@code http://127.0.0.1:40123}. */
  public String url() {
    return "http://" + server.getAddress().getAddress().getHostAddress() + ":" + port();
  }

  /** Its port. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** Stops serving and forgets everything. Idempotent. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      try {
        reply(exchange, 200, routes.answer(request(exchange)));
      } catch (RegistryError e) {
        reply(exchange, e.status(), Map.of("error_code", e.code(), "message", e.getMessage()));
      } catch (RuntimeException e) {
        log.atError()
            .addKeyValue("path", exchange.getRequestURI().getRawPath())
            .setCause(e)
            .log("Request failed");
        reply(exchange, 500, Map.of("error_code", 50001, "message", "Error in the registry"));
      }
    }
  }

  private static Request request(HttpExchange exchange) throws IOException {
    List<String> path =
        Arrays.stream(exchange.getRequestURI().getRawPath().split("/", -1))
            .filter(segment -> !segment.isEmpty())
            .map(segment -> URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8))
            .toList();
    String query = exchange.getRequestURI().getQuery();
    boolean defaultToGlobal = query != null && query.contains("defaultToGlobal=true");
    try (InputStream in = exchange.getRequestBody()) {
      byte[] body = in.readNBytes(LONGEST_BODY + 1);
      if (body.length > LONGEST_BODY) {
        throw RegistryError.badRequest("the body is longer than " + LONGEST_BODY + " bytes");
      }
      String text = new String(body, StandardCharsets.UTF_8);
      return new Request(exchange.getRequestMethod(), path, defaultToGlobal, text);
    }
  }

  private static void reply(HttpExchange exchange, int status, Object answer) throws IOException {
    byte[] body = JSON.writeValueAsBytes(answer);
    exchange.getResponseHeaders().set("Content-Type", CONTENT_TYPE);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }
}
