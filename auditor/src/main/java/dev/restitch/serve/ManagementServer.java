package dev.restitch.serve;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.restitch.avro.Incident;
import dev.restitch.config.ManagementConfig;
import dev.restitch.watch.WatchedNode;
import io.javalin.Javalin;
import io.javalin.http.Context;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;

/**
 * The HTTP API on the management port: {@code /livez /readyz /metrics /api/v1/...}. Answers JSON;
 * errors are {@code application/problem+json} (RFC 9457). Where a token is configured, everything
 * but liveness and readiness asks for it.
 */
public final class ManagementServer implements AutoCloseable {

  private static final int LARGEST_PAGE = 1_000;

  private final ManagementConfig config;
  private final Health health;
  private final IncidentFeed incidents;
  private final PrometheusMeterRegistry meters;
  private final NodeMeters nodes;
  private final Javalin server;

  ManagementServer(
      ManagementConfig config,
      Health health,
      IncidentFeed incidents,
      ControlApi controls,
      PrometheusMeterRegistry meters) {
    this.config = config;
    this.health = health;
    this.incidents = incidents;
    this.meters = meters;
    this.nodes = new NodeMeters(meters, health);
    this.server =
        Javalin.create(
            c -> {
              c.startup.showJavalinBanner = false;
              c.http.maxRequestSize = 64 * 1024L;
              c.routes.before(this::guard);
              c.routes.get("/livez", ctx -> state(ctx, health.live()));
              c.routes.get("/readyz", ctx -> state(ctx, health.ready()));
              c.routes.get("/metrics", this::metrics);
              c.routes.get("/api/v1/openapi.yaml", ManagementServer::description);
              c.routes.get("/api/v1/status", this::status);
              c.routes.get("/api/v1/coverage", this::coverage);
              c.routes.get("/api/v1/consistency", this::consistency);
              c.routes.get("/api/v1/incidents", this::list);
              c.routes.get("/api/v1/incidents/{id}", this::show);
              c.routes.get("/api/v1/controls", controls::list);
              c.routes.post("/api/v1/controls", controls::set);
              c.routes.get("/api/v1/brake", controls::brake);
              c.routes.get("/api/v1/repairs", controls::repairs);
              c.routes.get("/api/v1/repairs/{id}", controls::repair);
              c.routes.error(404, ctx -> problemIfEmpty(ctx, 404, "there is nothing at this path"));
              c.routes.exception(
                  Exception.class,
                  (e, ctx) -> problem(ctx, 500, "the request failed: " + e.getMessage()));
            });
  }

  /**
   * Begins to listen.
   *
   * @throws RuntimeException if the port is taken
   */
  void start() {
    server.start(config.host(), config.port());
  }

  /** The port that it listens on. */
  public int port() {
    return server.port();
  }

  private void guard(Context ctx) {
    ctx.header("X-Content-Type-Options", "nosniff");
    ctx.header("Cache-Control", "no-store");
    ctx.header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    boolean open = ctx.path().equals("/livez") || ctx.path().equals("/readyz");
    if (config.token() == null || open) {
      return;
    }
    byte[] expected = ("Bearer " + config.token().reveal()).getBytes(StandardCharsets.UTF_8);
    String given = Optional.ofNullable(ctx.header("Authorization")).orElse("");
    if (!MessageDigest.isEqual(expected, given.getBytes(StandardCharsets.UTF_8))) {
      problem(ctx, 401, "give the management token as 'Authorization: Bearer TOKEN'");
      ctx.skipRemainingHandlers();
    }
  }

  private void state(Context ctx, boolean good) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("judge", health.judgeState());
    body.put("ok", good);
    json(ctx.status(good ? 200 : 503), body);
  }

  private void metrics(Context ctx) {
    nodes.refresh();
    ctx.contentType("text/plain; version=0.0.4; charset=utf-8").result(meters.scrape());
  }

  private static void description(Context ctx) {
    InputStream text = ManagementServer.class.getResourceAsStream("/openapi.yaml");
    ctx.contentType("application/yaml").result(text); // closed when it is sent
  }

  private void status(Context ctx) {
    long open = incidents.openCount();
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("state", health.sentence(open));
    body.put("why", health.whyBlind().orElse(null));
    body.put("judge", health.judgeState());
    body.put("openIncidents", open);
    body.put("gapsOpen", health.openGaps().size());
    List<WatchedNode> nodes = health.nodes();
    body.put("nodes", nodes.size());
    body.put("subscribed", nodes.stream().filter(WatchedNode::subscribed).count());
    json(ctx, body);
  }

  private void coverage(Context ctx) {
    ObjectNode body = CoverageView.of(health.nodes(), health.sweeps(), health.openGaps());
    body.put("state", health.sentence(incidents.openCount()));
    body.put("why", health.whyBlind().orElse(null));
    json(ctx, body);
  }

  private void consistency(Context ctx) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("relations", ConsistencyView.of(health.consistency().all()));
    json(ctx, body);
  }

  private void list(Context ctx) {
    int limit = number(ctx, "limit", 100, LARGEST_PAGE);
    int offset = number(ctx, "offset", 0, Integer.MAX_VALUE);
    if (limit < 0 || offset < 0) {
      problem(ctx, 400, "limit is 0 to " + LARGEST_PAGE + ", offset 0 or more");
      return;
    }
    List<Incident> found =
        incidents.all().stream()
            .filter(i -> matches(ctx, "state", i.getState().name()))
            .filter(i -> matches(ctx, "relation", i.getRelation()))
            .filter(i -> matches(ctx, "verdict", i.getVerdict()))
            .filter(i -> matches(ctx, "instance", i.getInstance()))
            .toList();
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("total", found.size());
    ArrayNode items = body.putArray("incidents");
    found.stream().skip(offset).limit(limit).forEach(i -> items.add(IncidentView.brief(i)));
    json(ctx, body);
  }

  private static boolean matches(Context ctx, String parameter, String value) {
    String wanted = ctx.queryParam(parameter);
    return wanted == null || wanted.equalsIgnoreCase(value);
  }

  /** The parameter's value; -1 if it is not a number in its range. */
  private static int number(Context ctx, String parameter, int fallback, int most) {
    String text = ctx.queryParam(parameter);
    if (text == null) {
      return fallback;
    }
    try {
      int value = Integer.parseInt(text);
      return value > most ? -1 : value;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private void show(Context ctx) {
    String id = ctx.pathParam("id");
    Optional<Incident> incident = incidents.byId(id);
    if (incident.isEmpty()) {
      problem(ctx, 404, "no incident " + id + " is known; the list is at /api/v1/incidents");
      return;
    }
    json(ctx, IncidentView.full(incident.get()));
  }

  private static void problemIfEmpty(Context ctx, int status, String detail) {
    String type = ctx.res().getContentType();
    if (type == null || !type.startsWith("application/problem+json")) {
      problem(ctx, status, detail);
    }
  }

  private static void problem(Context ctx, int status, String detail) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("status", status);
    body.put("detail", detail);
    ctx.status(status).contentType("application/problem+json").result(body.toString());
  }

  private static void json(Context ctx, ObjectNode body) {
    ctx.contentType("application/json").result(body.toString());
  }

  @Override
  public void close() {
    server.stop();
  }
}
