package dev.restitch.webhook;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.restitch.config.WebhookConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;

/** Posts batches; follows no redirect. Thread-safe; blocks for ten seconds at most. */
final class Endpoint {

  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(10);
  private static final int REQUEST_TIMEOUT = 408;
  private static final int TOO_MANY_REQUESTS = 429;

  private final WebhookConfig config;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT).build();

  /** The endpoint will never take this batch. */
  static final class RefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
      super(message);
    }
  }

  Endpoint(WebhookConfig config) {
    this.config = config;
  }

  /**
   * Posts once.
   *
   * @throws IOException it was not taken now, and may be later
   * @throws RefusedException it is refused for what it is
   */
  void post(List<Notice> notices) throws IOException, InterruptedException, RefusedException {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    ArrayNode incidents = body.putArray("incidents");
    notices.forEach(notice -> incidents.add(notice.json()));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(config.url()))
            .timeout(ANSWER)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body.toString()));
    if (config.token() != null) {
      request.header("Authorization", "Bearer " + config.token().reveal());
    }
    int status = client.send(request.build(), BodyHandlers.discarding()).statusCode();
    if (status >= 200 && status < 300) {
      return;
    }
    if (status >= 400 && status < 500 && status != REQUEST_TIMEOUT && status != TOO_MANY_REQUESTS) {
      throw new RefusedException("the endpoint answers " + status);
    }
    throw new IOException("the endpoint answers " + status);
  }
}
