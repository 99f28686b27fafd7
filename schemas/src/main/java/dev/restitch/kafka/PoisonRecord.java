package dev.restitch.kafka;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * A record that cannot be used, as it stood in its topic.
 *
 * @param partition -1: unknown
 * @param offset -1: unknown
 * @param timestampMillis -1: unknown
 * @param headers its own headers; never null
 * @param key raw bytes; null: none
 * @param value raw bytes; null: none
 */
@SuppressWarnings("ArrayRecordComponent") // carried on as they are, never compared
public record PoisonRecord(
    String topic,
    int partition,
    long offset,
    long timestampMillis,
    Headers headers,
    byte[] key,
    byte[] value) {

  /** From a record of {@link KafkaClients#consumer}; its key byte for byte. */
  public static PoisonRecord of(ConsumerRecord<String, byte[]> record) {
    Headers headers = new RecordHeaders(record.headers());
    headers.remove(HeaderNames.RAW_KEY);
    return new PoisonRecord(
        record.topic(),
        record.partition(),
        record.offset(),
        record.timestamp(),
        headers,
        key(record),
        record.value());
  }

  private static byte[] key(ConsumerRecord<String, byte[]> record) {
    Header raw = record.headers().lastHeader(HeaderNames.RAW_KEY);
    if (raw != null) {
      return raw.value();
    }
    return record.key() == null ? null : record.key().getBytes(StandardCharsets.UTF_8);
  }

  /** From the raw bytes of a record whose place is known only in part. */
  public static PoisonRecord of(
      String topic, int partition, long offset, byte[] key, byte[] value) {
    return new PoisonRecord(topic, partition, offset, -1, new RecordHeaders(), key, value);
  }
}
