package dev.restitch.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class DeadLettersTest {

  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
  private final DeadLetters letters = new DeadLetters(producer, "restitch-dead-letters", "prober");
  private final byte[] key = {1, -1, 0};
  private final byte[] value = {9, 8, -7};
  private final PoisonRecord poison =
      new PoisonRecord("restitch-probes", 3, 77, 1234, new RecordHeaders(), key, value);
  private final SerializationException error =
      new SerializationException("is\nbroken", new IllegalStateException("at byte 3"));

  @Test
  void shouldKeepEveryByteAndSayWhereItStoodAndWhy() throws Exception {
    poison.headers().add("traceparent", new byte[] {5});
    poison.headers().add(HeaderNames.ERROR_TOPIC, "older".getBytes(UTF_8));

    CompletableFuture<Void> sent = letters.send(poison, error);
    assertThat(sent).isNotDone();
    producer.completeNext();
    sent.get(5, TimeUnit.SECONDS);

    ProducerRecord<byte[], byte[]> letter = producer.history().get(0);
    assertThat(letter.topic()).isEqualTo("restitch-dead-letters");
    assertThat(letter.key()).isEqualTo(key);
    assertThat(letter.value()).isEqualTo(value);
    assertThat(letter.headers().lastHeader("traceparent").value()).isEqualTo(new byte[] {5});
    assertThat(headers(letter))
        .containsEntry("restitch.error.class", SerializationException.class.getName())
        .containsEntry("restitch.error.message", "is broken: at byte 3")
        .containsEntry("restitch.error.topic", "restitch-probes")
        .containsEntry("restitch.error.partition", "3")
        .containsEntry("restitch.error.offset", "77")
        .containsEntry("restitch.error.timestamp", "1234")
        .containsEntry("restitch.error.component", "prober");
    assertThat(letters.sent()).isEqualTo(1);
    assertThat(letters.failed()).isZero();
  }

  @Test
  void shouldLeaveOutAValueThatIsTooLargeAndKeepItsLength() throws Exception {
    CompletableFuture<Void> sent = letters.send(poison, error);
    producer.errorNext(new RecordTooLargeException("too large"));
    Awaitility.await().until(() -> producer.history().size() == 2);
    producer.completeNext();
    sent.get(5, TimeUnit.SECONDS);

    ProducerRecord<byte[], byte[]> letter = producer.history().get(1);
    assertThat(letter.key()).isEqualTo(key);
    assertThat(letter.value()).isNull();
    assertThat(headers(letter)).containsEntry("restitch.error.value-length", "3");
    assertThat(letters.sent()).isEqualTo(1);
  }

  @Test
  void shouldTellWhenTheBrokersDoNotTakeIt() {
    CompletableFuture<Void> sent = letters.send(poison, error);
    producer.errorNext(new TimeoutException("no broker"));

    assertThatThrownBy(() -> sent.get(5, TimeUnit.SECONDS)).hasMessageContaining("no broker");
    assertThat(letters.failed()).isEqualTo(1);
    assertThat(letters.sent()).isZero();
  }

  @Test
  void shouldTellWhenItIsClosed() {
    letters.close();

    assertThatThrownBy(() -> letters.send(poison, error).get(5, TimeUnit.SECONDS))
        .hasCauseInstanceOf(IllegalStateException.class);
    assertThat(letters.failed()).isEqualTo(1);
  }

  @Test
  void shouldTakeAConsumedRecordAsItIs() {
    PoisonRecord taken = PoisonRecord.of(new ConsumerRecord<>("t", 1, 2, "k\u00e4", value));

    assertThat(taken.key()).isEqualTo("k\u00e4".getBytes(UTF_8));
    assertThat(taken.value()).isSameAs(value);
    assertThat(taken.offset()).isEqualTo(2);
    assertThat(PoisonRecord.of(new ConsumerRecord<>("t", 1, 2, null, value)).key()).isNull();
  }

  @Test
  void shouldKeepTheBytesOfAKeyThatIsNoText() {
    ConsumerRecord<String, byte[]> record =
        new ConsumerRecord<>(
            "t", 1, 2, new KeyDeserializer().deserialize("t", poison.headers(), key), value);
    poison.headers().forEach(record.headers()::add);

    PoisonRecord taken = PoisonRecord.of(record);

    assertThat(taken.key()).isEqualTo(key);
    assertThat(taken.headers()).isEmpty();
    assertThat(new KeyDeserializer().deserialize("t", taken.headers(), "k\u00e4".getBytes(UTF_8)))
        .isEqualTo("k\u00e4");
    assertThat(taken.headers()).isEmpty();
  }

  private static Map<String, String> headers(ProducerRecord<byte[], byte[]> letter) {
    Map<String, String> headers = new HashMap<>();
    letter
        .headers()
        .forEach(
            header -> {
              if (header.key().startsWith(HeaderNames.ERROR_PREFIX)) {
                assertThat(headers.put(header.key(), new String(header.value(), UTF_8))).isNull();
              }
            });
    return headers;
  }
}
