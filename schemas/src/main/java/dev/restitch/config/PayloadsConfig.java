package dev.restitch.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * From where payloads may be fetched that an intent names by reference. What is not listed is
 * refused, so that an intent can make the worker read nothing else.
 *
 * @param topics Kafka topics that {@code kafka:TOPIC/PARTITION/OFFSET} may name
 * @param files folders, absolute, that {@code file:} may lead into
 * @param http addresses that {@code http:} and {@code https:} references begin with
 * @param limit largest payload in bytes
 * @param timeout how long one fetch may take
 */
public record PayloadsConfig(
    List<String> topics, List<Path> files, List<URI> http, int limit, Duration timeout) {

  public PayloadsConfig {
    topics = List.copyOf(topics);
    files = List.copyOf(files);
    http = List.copyOf(http);
  }
}
