package dev.restitch.config;

import dev.restitch.model.Severity;
import dev.restitch.model.Verdict;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Binds {@code webhook}. */
final class WebhookBinder {

  private static final int MOST = 1_000;
  private static final Map<String, Severity> WORDS = new LinkedHashMap<>();

  static {
    for (Severity severity : Severity.values()) {
      WORDS.put(severity.name().toLowerCase(Locale.ROOT), severity);
    }
  }

  private WebhookBinder() {}

  /** Null where none is configured. */
  static WebhookConfig bind(Section root) {
    Section hook = root.child("webhook", "url", "token", "batch", "every", "severities");
    Optional<String> url = hook.parse("url", hook.text("url"), HttpUrl::parse);
    if (url.isEmpty()) {
      if (hook.given() && !hook.has("url")) {
        hook.problem("url", "is missing; for example url: https://hooks.example/restitch");
      }
      return null;
    }
    return new WebhookConfig(
        url.get(),
        Secrets.read(hook, "token").orElse(null),
        Values.integer(hook, "batch", 100, 1, MOST),
        Values.duration(hook, "every", Duration.ofSeconds(1)),
        severities(hook.names("severities")));
  }

  private static Map<Verdict, Severity> severities(Section section) {
    Map<Verdict, Severity> severities = new EnumMap<>(Verdict.class);
    for (String name : section.names()) {
      verdict(section, name)
          .ifPresent(
              verdict ->
                  Values.choice(section, name, WORDS)
                      .ifPresent(severity -> severities.put(verdict, severity)));
    }
    return severities;
  }

  private static Optional<Verdict> verdict(Section section, String name) {
    for (Verdict verdict : Verdict.values()) {
      if (verdict.name().equals(name) && !verdict.healthy()) {
        return Optional.of(verdict);
      }
    }
    section.problem(name, "is no verdict of an incident; for example SIDE_EXPIRED: info");
    return Optional.empty();
  }
}
