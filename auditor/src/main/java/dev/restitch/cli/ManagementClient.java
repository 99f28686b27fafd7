package dev.restitch.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.restitch.config.RestitchConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Asks a running auditor; found by {@code --url}, else by the configuration's management. */
final class ManagementClient {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration CHANGE_TIMEOUT = Duration.ofSeconds(30);

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The auditor's address, such as http://127.0.0.1:8282.")
  private URI url;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      defaultValue = "restitch.yaml",
      description = "The configuration that tells the address (default: ${DEFAULT-VALUE}).")
  private Path file;

  /**
   * The answer to a GET.
   *
   * @throws IOException with what to check, if the auditor cannot be asked or refuses
   */
  JsonNode get(CommandSpec spec, String path) throws IOException, InterruptedException {
    return ask(spec, path, HttpRequest.newBuilder().timeout(TIMEOUT));
  }

  /**
   * The answer to a POST of JSON.
   *
   * @throws IOException as {@link #get}
   */
  JsonNode post(CommandSpec spec, String path, JsonNode body)
      throws IOException, InterruptedException {
    return ask(
        spec,
        path,
        HttpRequest.newBuilder()
            .timeout(CHANGE_TIMEOUT)
            .header("Content-Type", "application/json")
            .header("X-Restitch-Request", "1")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString())));
  }

  private JsonNode ask(CommandSpec spec, String path, HttpRequest.Builder request)
      throws IOException, InterruptedException {
    URI base = url;
    if (base == null && Files.isReadable(file)) {
      RestitchConfig config = ConfigOption.load(spec, file);
      base = URI.create("http://" + config.management().host() + ":" + config.management().port());
      if (config.management().token() != null) {
        request.header("Authorization", "Bearer " + config.management().token().reveal());
      }
    }
    if (base == null) {
      base = URI.create("http://127.0.0.1:8282");
    }
    HttpResponse<String> response = send(base, request.uri(base.resolve(path)).build());
    JsonNode body = JSON.readTree(response.body());
    if (response.statusCode() >= 400) {
      throw new IOException(
          body.path("detail").asText("the auditor answered " + response.statusCode()));
    }
    return body;
  }

  private static HttpResponse<String> send(URI base, HttpRequest request)
      throws IOException, InterruptedException {
    HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new IOException(
          "no auditor answers at "
              + base
              + "; is it running, and is --url (or management in the configuration) right?",
          e);
    }
  }
}
