package dev.restitch.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.restitch.config.ConfigException;
import dev.restitch.config.RegistryConfig;
import dev.restitch.config.RestitchConfig;
import dev.restitch.config.TopicsConfig;
import dev.restitch.registry.InMemorySchemaRegistry;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaClientsTest {

  private static final String BOOTSTRAP = "bootstrap.servers";

  @Test
  void shouldSetWhatItsPromisesRestOn() {
    RestitchConfig config = config(Map.of(BOOTSTRAP, "h:1"));

    Map<String, Object> producer = KafkaClients.producerSettings(config, "prober").build();
    Map<String, Object> consumer = KafkaClients.consumerSettings(config, "prober", "g").build();

    assertThat(producer)
        .containsEntry(BOOTSTRAP, "h:1")
        .containsEntry("client.id", "prober")
        .containsEntry("acks", "all")
        .containsEntry("enable.idempotence", "true")
        .containsEntry("buffer.memory", "33554432");
    assertThat(consumer)
        .containsEntry("group.id", "g")
        .containsEntry("isolation.level", "read_committed")
        .containsEntry("enable.auto.commit", "false")
        .containsEntry("auto.offset.reset", "earliest");
  }

  @Test
  void shouldPassThroughWhatEachClientKnows() {
    RestitchConfig config =
        config(
            Map.of(
                BOOTSTRAP,
                "h:1",
                "client.id",
                "team",
                "security.protocol",
                "SSL",
                "linger.ms",
                "50",
                "producer.linger.ms",
                "70",
                "consumer.max.poll.records",
                "9",
                "my.interceptor.setting",
                "x"));

    Map<String, Object> producer = KafkaClients.producerSettings(config, "w").build();
    Map<String, Object> consumer = KafkaClients.consumerSettings(config, "w", null).build();

    assertThat(producer)
        .containsEntry("client.id", "team-w")
        .containsEntry("security.protocol", "SSL")
        .containsEntry("linger.ms", "70")
        .containsEntry("my.interceptor.setting", "x")
        .doesNotContainKeys("consumer.max.poll.records", "max.poll.records", "producer.linger.ms");
    assertThat(consumer)
        .containsEntry("security.protocol", "SSL")
        .containsEntry("max.poll.records", "9")
        .doesNotContainKeys("linger.ms", "group.id");
  }

  @ParameterizedTest
  @CsvSource({
    "acks, 1",
    "enable.idempotence, false",
    "partitioner.class, x.Y",
    "transactional.id, mine",
    "producer.acks, 0"
  })
  void shouldRefuseWhatWouldBreakAPromiseOfAProducer(String name, String value) {
    RestitchConfig config = config(Map.of(BOOTSTRAP, "h:1", name, value));

    assertThatThrownBy(() -> KafkaClients.producerSettings(config, "w"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("kafka." + name.replace("producer.", ""));
  }

  @ParameterizedTest
  @CsvSource({"isolation.level, read_uncommitted", "enable.auto.commit, true"})
  void shouldRefuseWhatWouldBreakAPromiseOfAConsumer(String name, String value) {
    RestitchConfig config = config(Map.of(BOOTSTRAP, "h:1", name, value));

    assertThatThrownBy(() -> KafkaClients.consumerSettings(config, "w", "g"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("kafka." + name);
  }

  @Test
  void shouldAcceptASafeValueThatIsWrittenOut() {
    RestitchConfig config = config(Map.of(BOOTSTRAP, "h:1", "acks", "ALL"));

    assertThat(KafkaClients.producerSettings(config, "w").build()).containsEntry("acks", "all");
  }

  @Test
  void shouldMakeSettingsThatKafkasClientsTake() {
    RestitchConfig config = config(Map.of(BOOTSTRAP, "127.0.0.1:1", "log.level", "silent"));

    KafkaClients.producer(config, new InMemorySchemaRegistry(), "p").close(Duration.ZERO);
    KafkaClients.rawProducer(config, "p").close(Duration.ZERO);
    KafkaClients.consumer(config, "c", "g").close();
    KafkaClients.consumer(config, "c", null).close();
    KafkaClients.admin(config).close(Duration.ZERO);
    assertThat(ProducerConfig.configNames()).contains("buffer.memory");
    assertThat(ConsumerConfig.configNames()).contains("isolation.level");
  }

  static RestitchConfig config(Map<String, String> kafka) {
    return new RestitchConfig(
        kafka,
        new RegistryConfig("mock://x", "restitch", null, null),
        Map.of(),
        Map.of(),
        Map.of(),
        null,
        new TopicsConfig("restitch", 2, 1),
        null,
        null,
        null,
        Duration.ofSeconds(1),
        Duration.ofMinutes(5),
        null);
  }
}
