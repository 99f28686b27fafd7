package dev.restitch.worker.truth;

import dev.restitch.config.PayloadsConfig;
import dev.restitch.model.Bytes;
import dev.restitch.writer.io.Stages;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Fetches payloads by HTTP. An address must begin with a listed one: same scheme, host and port,
 * and a path below its path, written without dots or escapes that could lead out of it. Redirects
 * are not followed, no credentials are sent, nothing but a 200 counts. Thread-safe; never blocks.
 */
final class HttpPayloads {

  private static final int OK = 200;
  private static final int SERVER_ERROR = 500;
  private static final int TOO_MANY = 429;

  private final PayloadsConfig config;
  private final HttpClient client;

  HttpPayloads(PayloadsConfig config) {
    this.config = config;
    this.client =
        config.http().isEmpty()
            ? null
            : HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(config.timeout())
                .build();
  }

  CompletionStage<Bytes> fetch(URI reference) {
    if (config.http().stream().noneMatch(listed -> below(listed, reference))) {
      throw new TruthException("the address begins with none that payloads.http lists");
    }
    HttpRequest request = HttpRequest.newBuilder(reference).timeout(config.timeout()).GET().build();
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(
            request,
            head ->
                head.statusCode() == OK
                    ? new LimitedBody(config.limit())
                    : HttpResponse.BodySubscribers.replacing(new byte[0]));
    return answer
        .copy()
        .orTimeout(config.timeout().toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((done, failure) -> answer.cancel(true))
        .thenApply(HttpPayloads::body)
        .exceptionallyCompose(HttpPayloads::inTime);
  }

  /** True if the reference leads to something below a listed address, and says so plainly. */
  static boolean below(URI listed, URI reference) {
    String path = String.valueOf(reference.getRawPath());
    return listed.getScheme().equals(reference.getScheme())
        && listed.getHost().equalsIgnoreCase(reference.getHost())
        && port(listed) == port(reference)
        && reference.getRawUserInfo() == null
        && reference.getRawFragment() == null
        && path.startsWith(listed.getRawPath())
        && path.length() > listed.getRawPath().length()
        && !path.contains("//")
        && !path.contains("\\")
        && !path.toLowerCase(java.util.Locale.ROOT).matches(".*%(2e|2f|5c|25|00).*")
        && Objects.equals(reference.normalize().getRawPath(), path);
  }

  private static int port(URI uri) {
    return uri.getPort() >= 0 ? uri.getPort() : "https".equals(uri.getScheme()) ? 443 : 80;
  }

  private static Bytes body(HttpResponse<byte[]> response) {
    int status = response.statusCode();
    if (status == OK) {
      return Bytes.copyOf(response.body());
    }
    String what = "the payload that the intent refers to was answered with status " + status;
    if (status >= SERVER_ERROR || status == TOO_MANY) {
      throw new TruthUnavailableException(what, null);
    }
    throw new TruthException(what);
  }

  /** A fetch that takes too long, or whose connection fails, may succeed later. */
  static CompletionStage<Bytes> inTime(Throwable failure) {
    Throwable cause = Stages.cause(failure);
    for (Throwable at = cause; at != null; at = at.getCause()) {
      if (at instanceof TruthException || at instanceof TruthUnavailableException) {
        return CompletableFuture.failedStage(at);
      }
    }
    return CompletableFuture.failedStage(
        cause instanceof IOException || cause instanceof TimeoutException
            ? new TruthUnavailableException(
                "the payload that the intent refers to was not to be had: "
                    + cause.getClass().getSimpleName(),
                cause)
            : new CompletionException(cause));
  }
}
