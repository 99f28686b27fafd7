package dev.restitch.config;

import dev.restitch.model.Severity;
import dev.restitch.model.Verdict;
import java.time.Duration;
import java.util.Map;

/**
 * Where opened and closed incidents are told by HTTP.
 *
 * @param url to which batches are posted
 * @param token sent as bearer token; null: none
 * @param batch incidents in one request at most
 * @param every least time between two requests: what comes meanwhile goes into one
 * @param severities what differs from {@link Severity#of}
 */
public record WebhookConfig(
    String url, Secret token, int batch, Duration every, Map<Verdict, Severity> severities) {

  /** How bad an incident of that verdict is. */
  public Severity severity(Verdict verdict) {
    return severities.getOrDefault(verdict, Severity.of(verdict));
  }
}
