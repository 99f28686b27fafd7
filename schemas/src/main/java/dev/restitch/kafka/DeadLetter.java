package dev.restitch.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Makes the record that stands in the dead-letter topic for one that could not be used. */
public final class DeadLetter {

  private static final int LONGEST_MESSAGE = 1000;

  private DeadLetter() {}

  /**
   * The record byte for byte, with its own headers and those of {@link HeaderNames}; older {@code
   * restitch.error.*} headers are replaced.
   *
   * @param topic the dead-letter topic's full name
   * @param component who could not use the record
   */
  public static ProducerRecord<byte[], byte[]> of(
      String topic, PoisonRecord record, Throwable error, String component) {
    return make(topic, record, headers(record, error, component), record.value());
  }

  /** The same without the value; its length is kept. */
  static ProducerRecord<byte[], byte[]> withoutValue(
      String topic, PoisonRecord record, Throwable error, String component) {
    Headers headers = headers(record, error, component);
    put(headers, HeaderNames.ERROR_VALUE_LENGTH, String.valueOf(record.value().length));
    return make(topic, record, headers, null);
  }

  private static ProducerRecord<byte[], byte[]> make(
      String topic, PoisonRecord record, Headers headers, byte[] value) {
    return new ProducerRecord<>(topic, null, null, record.key(), value, headers);
  }

  private static Headers headers(PoisonRecord record, Throwable error, String component) {
    Headers headers = new RecordHeaders();
    record.headers().forEach(headers::add);
    Throwable cause = unwrapped(error);
    put(headers, HeaderNames.ERROR_CLASS, cause.getClass().getName());
    put(headers, HeaderNames.ERROR_MESSAGE, message(cause));
    put(headers, HeaderNames.ERROR_TOPIC, record.topic());
    put(headers, HeaderNames.ERROR_PARTITION, String.valueOf(record.partition()));
    put(headers, HeaderNames.ERROR_OFFSET, String.valueOf(record.offset()));
    put(headers, HeaderNames.ERROR_TIMESTAMP, String.valueOf(record.timestampMillis()));
    put(headers, HeaderNames.ERROR_COMPONENT, component);
    return headers;
  }

  private static void put(Headers headers, String name, String value) {
    headers.remove(name);
    headers.add(name, value.getBytes(UTF_8));
  }

  private static Throwable unwrapped(Throwable error) {
    boolean wrapper = error instanceof CompletionException || error instanceof ExecutionException;
    return wrapper && error.getCause() != null ? error.getCause() : error;
  }

  static String message(Throwable error) {
    String message = error.getMessage() == null ? "" : error.getMessage();
    Throwable root = error.getCause();
    if (root != null && root.getMessage() != null && !message.contains(root.getMessage())) {
      message = message + ": " + root.getMessage();
    }
    String line = message.replaceAll("\\s+", " ").strip();
    return line.length() <= LONGEST_MESSAGE ? line : line.substring(0, LONGEST_MESSAGE);
  }
}
