package dev.restitch.sandbox.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.restitch.avro.Incident;
import dev.restitch.avro.IncidentState;
import dev.restitch.config.ConfigLoader;
import dev.restitch.config.RestitchConfig;
import dev.restitch.kafka.KafkaClients;
import dev.restitch.registry.SchemaRegistries;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.sandbox.registry.EmbeddedRegistry;
import dev.restitch.sandbox.server.EmbeddedKafka;
import dev.restitch.sandbox.server.Lifetime;
import dev.restitch.sandbox.server.Scratch;
import dev.restitch.serde.ContractSchemas;
import dev.restitch.topic.TopicProvisioner;
import dev.restitch.topic.Topics;
import dev.restitch.webhook.Webhook;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** Incidents are told to a real HTTP endpoint that is away, refuses, and comes back. */
class WebhookIT {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** What each coming request is answered, while there is any. */
  private final Queue<Integer> answers = new ConcurrentLinkedQueue<>();

  private final Queue<JsonNode> taken = new ConcurrentLinkedQueue<>();
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger unauthorized = new AtomicInteger();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @Test
  void shouldTellEachEventOnceThatTheEndpointTakesHoweverLongThatLasts() throws Exception {
    try (Lifetime lifetime = Lifetime.begin()) {
      HttpServer server = HttpServer.create(new InetSocketAddress(loopback(), 0), 0);
      lifetime.own(() -> server.stop(0));
      server.createContext("/hook", this::take);
      server.start();
      RestitchConfig config = config(lifetime, server.getAddress().getPort());
      SchemaRegistry registry = SchemaRegistries.open(config.registry());
      try (Admin admin = KafkaClients.admin(config)) {
        TopicProvisioner.ensure(admin, config.topics());
      }
      ContractSchemas.register(registry, config.topics());
      Producer<String, SpecificRecord> producer =
          lifetime.own(KafkaClients.producer(config, registry, "test"));
      send(config, producer, "old", IncidentState.OPEN, 1_000);
      Webhook webhook = webhook(config, registry);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                send(config, producer, "first", IncidentState.OPEN, 1_000);
                return !taken.isEmpty();
              });

      // away twice: both requests are tried again
      answers.addAll(List.of(503, 503));
      send(config, producer, "a", IncidentState.OPEN, 1_000);
      send(config, producer, "a", IncidentState.REPAIRING, 1_200);
      send(config, producer, "a", IncidentState.REPAIRED, 1_500);
      await().atMost(Duration.ofSeconds(30)).until(() -> events("a").size() == 2);
      assertThat(events("a")).containsExactly("opened", "closed");
      assertThat(meters.counter("restitch.webhook.failures").count()).isEqualTo(2);

      // refused for what it is: lost, and counted; the next is told
      answers.add(400);
      send(config, producer, "b", IncidentState.OPEN, 1_000);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> meters.counter("restitch.webhook.notices", "result", "refused").count() > 0);
      send(config, producer, "c", IncidentState.MANUAL, 2_000);
      send(config, producer, "c", IncidentState.MANUAL, 3_000);
      await().atMost(Duration.ofSeconds(30)).until(() -> !events("c").isEmpty());
      assertThat(events("b")).isEmpty();

      // another auditor goes on where this one ended
      webhook.close();
      send(config, producer, "d", IncidentState.OPEN, 1_000);
      lifetime.own(webhook(config, registry));
      await().atMost(Duration.ofSeconds(30)).until(() -> !events("d").isEmpty());

      assertThat(events("old")).as("what was told before the group began").isEmpty();
      assertThat(events("first")).containsExactly("opened");
      assertThat(unauthorized).hasValue(0);
    }
  }

  private static InetAddress loopback() {
    return InetAddress.getLoopbackAddress();
  }

  private Webhook webhook(RestitchConfig config, SchemaRegistry registry) {
    Webhook webhook =
        new Webhook(
            config,
            registry,
            () -> KafkaClients.member(config, "test-webhook", Webhook.group(config)),
            meters);
    webhook.start();
    return webhook;
  }

  private void take(HttpExchange exchange) throws IOException {
    requests.incrementAndGet();
    if (!"Bearer a-secret".equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      unauthorized.incrementAndGet();
    }
    JsonNode body =
        JSON.readTree(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    Integer answer = answers.poll();
    if (answer == null) {
      body.path("incidents").forEach(taken::add);
    }
    exchange.sendResponseHeaders(answer == null ? 204 : answer, -1);
    exchange.close();
  }

  private List<String> events(String id) {
    return taken.stream()
        .filter(i -> i.path("id").asText().equals(id))
        .map(i -> i.path("event").asText())
        .toList();
  }

  private static RestitchConfig config(Lifetime lifetime, int port) throws Exception {
    Scratch scratch = lifetime.own(Scratch.create("restitch-webhook-"));
    EmbeddedKafka kafka = lifetime.own(EmbeddedKafka.start(scratch));
    EmbeddedRegistry registry = lifetime.own(EmbeddedRegistry.start());
    return ConfigLoader.parse(
        """
        kafka: { bootstrap.servers: "%s" }
        topics: { partitions: 2 }
        registry: { url: "%s" }
        stores: { east: { uri: "redis://127.0.0.1:1" } }
        relations:
          user: { sides: { a: { store: east, key: "user:{id}" } }, stamp: "{token}:{payload}" }
        webhook: { url: "http://127.0.0.1:%d/hook", token: { env: HOOK }, every: 100ms }
        """
            .formatted(kafka.bootstrapServers(), registry.url(), port),
        Map.of("HOOK", "a-secret"));
  }

  private static void send(
      RestitchConfig config,
      Producer<String, SpecificRecord> producer,
      String id,
      IncidentState state,
      long updatedAt)
      throws Exception {
    Incident incident =
        Incident.newBuilder()
            .setId(id)
            .setInstance("user/" + id)
            .setRelation("user")
            .setVerdict("TORN_MISSING")
            .setState(state)
            .setBehind(List.of())
            .setRule("")
            .setAction("report")
            .setSuspectedAtMillis(0)
            .setDueAtMillis(0)
            .setDeclaredAtMillis(1_000)
            .setUpdatedAtMillis(updatedAt)
            .build();
    producer
        .send(
            new ProducerRecord<>(
                Topics.INCIDENTS.name(config.topics()), "user/" + id + "#" + id, incident))
        .get();
  }
}
