package dev.restitch.worker.truth;

import dev.restitch.config.PayloadsConfig;
import dev.restitch.model.Bytes;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fetches payloads by reference: {@code kafka:TOPIC/PARTITION/OFFSET} is the value of another
 * record, {@code file:///…} a file, {@code http:} and {@code https:} an address. Only what {@code
 * payloads} of the configuration lists is fetched, and no more bytes than its limit.
 */
public final class PayloadRefs implements PayloadSource, AutoCloseable {

  private static final Pattern KAFKA =
      Pattern.compile("kafka:([A-Za-z0-9._-]{1,249})/(\\d{1,9})/(\\d{1,18})");
  private static final int LONGEST = 2048;

  private final PayloadsConfig config;
  private final KafkaRecords records;
  private final FilePayloads files;
  private final HttpPayloads http;

  /**
   * @param records stays its owner's
   */
  public PayloadRefs(PayloadsConfig config, KafkaRecords records) {
    this.config = config;
    this.records = records;
    this.files = new FilePayloads(config);
    this.http = new HttpPayloads(config);
  }

  @Override
  public CompletionStage<Bytes> fetch(String reference) {
    try {
      return open(reference);
    } catch (TruthException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private CompletionStage<Bytes> open(String reference) {
    if (reference.length() > LONGEST) {
      throw new TruthException("a reference to a payload is longer than " + LONGEST);
    }
    if (reference.startsWith("kafka:")) {
      return kafka(reference);
    }
    URI uri;
    try {
      uri = URI.create(reference);
    } catch (IllegalArgumentException e) {
      throw new TruthException("the reference to the payload is no URI");
    }
    String scheme = String.valueOf(uri.getScheme());
    return switch (scheme) {
      case "file" -> files.fetch(uri);
      case "http", "https" -> http.fetch(uri);
      default ->
          throw new TruthException(
              "payloads are fetched by kafka:, file:, http: and https:, not by this reference");
    };
  }

  private CompletionStage<Bytes> kafka(String reference) {
    Matcher place = KAFKA.matcher(reference);
    if (!place.matches()) {
      throw new TruthException("a reference to a record reads kafka:TOPIC/PARTITION/OFFSET");
    }
    String topic = place.group(1);
    if (!config.topics().contains(topic)) {
      throw new TruthException("topic " + topic + " is not listed in payloads.kafka");
    }
    return records.at(
        topic,
        Integer.parseInt(place.group(2)),
        Long.parseLong(place.group(3)),
        value -> {
          if (value == null) {
            throw new TruthException("the record that the intent refers to has no value");
          }
          if (value.length > config.limit()) {
            throw tooLarge(config.limit());
          }
          return Bytes.copyOf(value);
        });
  }

  static TruthException tooLarge(int limit) {
    return new TruthException(
        "the payload that the intent refers to is larger than payloads.limit, " + limit);
  }

  /** Ends what runs. Idempotent. */
  @Override
  public void close() {
    files.close();
  }
}
