package dev.restitch.worker.truth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.restitch.avro.Done;
import dev.restitch.avro.Intent;
import dev.restitch.model.Bytes;
import dev.restitch.registry.InMemorySchemaRegistry;
import dev.restitch.serde.AvroDeserializer;
import dev.restitch.serde.AvroSerializer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KafkaIntentsTest {

  private static final String TOPIC = "restitch-intents";
  private static final TopicPartition PLACE = new TopicPartition(TOPIC, 0);

  private final InMemorySchemaRegistry registry = new InMemorySchemaRegistry();
  private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("earliest");
  private final KafkaRecords places = new KafkaRecords(this::open);
  private final KafkaIntents intents =
      new KafkaIntents(TOPIC, places, new AvroDeserializer(registry));

  @AfterEach
  void close() {
    places.close();
  }

  @Test
  void shouldReadTheIntentAtItsPlace() {
    at(7, intent("t7"));

    assertThat(read(7).getToken()).isEqualTo(Bytes.utf8("t7").toBuffer());
  }

  @Test
  void shouldSayThatTheIntentIsNoLongerKept() {
    at(9, intent("t9"));

    assertThatThrownBy(() -> read(7))
        .hasCauseInstanceOf(TruthException.class)
        .hasMessageContaining("no longer kept");
  }

  @Test
  void shouldSayThatSomethingElseIsThere() {
    at(7, Done.newBuilder().setToken(Bytes.utf8("t").toBuffer()).setResults(List.of()).build());

    assertThatThrownBy(() -> read(7))
        .hasCauseInstanceOf(TruthException.class)
        .hasMessageContaining("no intent at 0/7");
  }

  private Consumer<String, byte[]> open() {
    return consumer;
  }

  private void at(long offset, SpecificRecord value) {
    byte[] bytes = new AvroSerializer(registry).serialize(TOPIC, value);
    consumer.schedulePollTask(
        () -> {
          consumer.updateBeginningOffsets(Map.of(PLACE, 0L));
          consumer.addRecord(new ConsumerRecord<>(TOPIC, 0, offset, "user/1", bytes));
        });
  }

  private static Intent intent(String token) {
    return Intent.newBuilder()
        .setToken(Bytes.utf8(token).toBuffer())
        .setWrites(List.of())
        .setCreatedAtMillis(1)
        .build();
  }

  private Intent read(long offset) {
    return intents.at(0, offset).toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
  }
}
