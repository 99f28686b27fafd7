package dev.restitch.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.restitch.config.ConfigLoader;
import dev.restitch.config.ManagementConfig;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class WorkerPortTest {

  private final PrometheusMeterRegistry meters =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AtomicBoolean ready = new AtomicBoolean();
  private final WorkerPort.Health health = new WorkerPort.Health(() -> true, ready::get);

  @Test
  void shouldSayHowItStandsAndShowItsMetrics() throws Exception {
    meters.counter("restitch.test").increment();
    try (WorkerPort port = new WorkerPort(management(0, ""), health, meters)) {
      assertThat(get(port, "/livez", null).statusCode()).isEqualTo(200);
      assertThat(get(port, "/readyz", null).statusCode()).isEqualTo(503);
      ready.set(true);
      assertThat(get(port, "/readyz", null).statusCode()).isEqualTo(200);
      assertThat(get(port, "/metrics", null).body()).contains("restitch_test_total 1");
      assertThat(get(port, "/other", null).statusCode()).isEqualTo(404);
    }
  }

  @Test
  void shouldAskForTheTokenBeforeItShowsMetrics() throws Exception {
    try (WorkerPort port = new WorkerPort(management(0, ", token: secret"), health, meters)) {
      assertThat(get(port, "/livez", null).statusCode()).isEqualTo(200);
      assertThat(get(port, "/metrics", null).statusCode()).isEqualTo(401);
      assertThat(get(port, "/metrics", "Bearer wrong").statusCode()).isEqualTo(401);
      assertThat(get(port, "/metrics", "Bearer secret").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void shouldChangeNothing() throws Exception {
    try (WorkerPort port = new WorkerPort(management(0, ""), health, meters)) {
      HttpRequest post =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.port() + "/livez"))
              .POST(HttpRequest.BodyPublishers.noBody())
              .build();
      assertThat(
              HttpClient.newHttpClient()
                  .send(post, HttpResponse.BodyHandlers.ofString())
                  .statusCode())
          .isEqualTo(405);
    }
  }

  @Test
  void shouldSayWhatToChangeWhereThePortIsTaken() throws Exception {
    try (WorkerPort port = new WorkerPort(management(0, ""), health, meters)) {
      assertThatThrownBy(() -> new WorkerPort(management(port.port(), ""), health, meters))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("management.worker-port");
    }
  }

  private static HttpResponse<String> get(WorkerPort port, String path, String token)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.port() + path));
    if (token != null) {
      request.header("Authorization", token);
    }
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static ManagementConfig management(int port, String more) {
    return ConfigLoader.parse(
            """
            management: { worker-port: %d%s }
            stores: { east: { uri: "redis://localhost:1" } }
            relations:
              a: { sides: { b: { store: east, key: "a:{x}" } }, stamp: "{token}:{payload}" }
            """
                .formatted(port, more),
            Map.of())
        .management();
  }
}
