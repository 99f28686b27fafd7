package dev.restitch.registry;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Sends requests to a registry: every address in turn, a few rounds with short pauses, as long as
 * none answers or the answer says "not now". TLS goes by the JDK's default context (the system
 * properties {@code javax.net.ssl.*}). Thread-safe.
 */
final class RegistryHttp {

  private static final String CONTENT_TYPE = "application/vnd.schemaregistry.v1+json";
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);
  private static final long[] PAUSES_MILLIS = {100, 400};

  private final RegistryEndpoint endpoint;
  private final HttpClient client;

  RegistryHttp(RegistryEndpoint endpoint) {
    this.endpoint = endpoint;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();
  }

  String address() {
    return endpoint.address();
  }

  RegistryReply get(String path) {
    return send(path, null);
  }

  RegistryReply post(String path, String json) {
    return send(path, json);
  }

  private RegistryReply send(String path, String json) {
    String reason = null;
    IOException failure = null;
    for (int round = 0; ; round++) {
      for (String base : endpoint.bases()) {
        try {
          RegistryReply reply = once(base, path, json);
          if (reply.status() < 500 && reply.status() != 429) {
            return reply;
          }
          reason = "HTTP " + reply.status();
        } catch (IOException e) {
          failure = e;
          reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        } catch (InterruptedException e) {
          throw interrupted(e);
        }
      }
      if (round == PAUSES_MILLIS.length) {
        throw new RegistryUnavailableException(
            "the schema registry at " + address() + " does not answer: " + reason, failure);
      }
      pause(PAUSES_MILLIS[round]);
    }
  }

  private RegistryReply once(String base, String path, String json)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path))
            .timeout(REQUEST_TIMEOUT)
            .header("Accept", CONTENT_TYPE + ", application/json");
    if (endpoint.authorization() != null) {
      request.header("Authorization", endpoint.authorization());
    }
    if (json != null) {
      request
          .header("Content-Type", CONTENT_TYPE)
          .POST(BodyPublishers.ofString(json, StandardCharsets.UTF_8));
    }
    HttpResponse<String> response =
        client.send(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
    return new RegistryReply(response.statusCode(), response.body(), base);
  }

  private void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private RegistryUnavailableException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new RegistryUnavailableException(
        "interrupted while waiting for the schema registry at " + address(), cause);
  }
}
