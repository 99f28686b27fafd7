package dev.restitch.sandbox.registry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.restitch.avro.Gap;
import dev.restitch.config.RegistryConfig;
import dev.restitch.config.RestitchConfig;
import dev.restitch.config.TopicsConfig;
import dev.restitch.kafka.DeadLetters;
import dev.restitch.kafka.HeaderNames;
import dev.restitch.kafka.KafkaClients;
import dev.restitch.kafka.PoisonRecord;
import dev.restitch.registry.SchemaRegistries;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.sandbox.server.EmbeddedKafka;
import dev.restitch.sandbox.server.Scratch;
import dev.restitch.serde.TopicDeserializer;
import dev.restitch.startup.Peers;
import dev.restitch.startup.UnreachableException;
import dev.restitch.topic.Topic;
import dev.restitch.topic.TopicMismatchException;
import dev.restitch.topic.TopicProvisioner;
import dev.restitch.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.record.TimestampType;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Topics and clients against a real broker and the embedded registry. */
class KafkaContractIT {

  private static Scratch scratch;
  private static EmbeddedKafka kafka;
  private static EmbeddedRegistry registryServer;

  @BeforeAll
  static void start() throws Exception {
    scratch = Scratch.create("restitch-contract-");
    kafka = EmbeddedKafka.start(scratch);
    registryServer = EmbeddedRegistry.start();
  }

  @AfterAll
  static void stop() {
    registryServer.close();
    kafka.close();
    scratch.close();
  }

  @Test
  void shouldMakeWhatIsMissingAndBeContentWithItAfterwards() throws Exception {
    RestitchConfig config = config("fresh", 3);
    try (Admin admin = KafkaClients.admin(config)) {
      TopicProvisioner.ensure(admin, config.topics());
      TopicProvisioner.ensure(admin, config.topics());

      assertThat(admin.listTopics().names().get())
          .containsAll(Topics.all().stream().map(topic -> topic.name(config.topics())).toList());
      Map<String, Integer> partitions =
          Map.of("fresh-intents", 3, "fresh-gaps", 3, "fresh-control", 3, "fresh-coverage", 1);
      admin
          .describeTopics(partitions.keySet())
          .allTopicNames()
          .get()
          .forEach((name, topic) -> assertThat(topic.partitions()).hasSize(partitions.get(name)));
    }
  }

  @Test
  void shouldLetSeveralProcessesMakeTopicsAtOnce() throws Exception {
    RestitchConfig config = config("race", 2);
    List<CompletableFuture<Void>> starts = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      starts.add(
          CompletableFuture.runAsync(
              () -> {
                try (Admin admin = KafkaClients.admin(config)) {
                  TopicProvisioner.ensure(admin, config.topics());
                }
              }));
    }
    CompletableFuture<Void> all = CompletableFuture.allOf(starts.toArray(CompletableFuture[]::new));

    assertThatCode(() -> all.get(60, TimeUnit.SECONDS)).doesNotThrowAnyException();
  }

  @Test
  void shouldRefuseTopicsThatAreWrongWithAllProblemsAtOnce() throws Exception {
    RestitchConfig config = config("wrong", 2);
    try (Admin admin = KafkaClients.admin(config)) {
      admin
          .createTopics(
              List.of(
                  new NewTopic("wrong-intents", 5, (short) 1),
                  new NewTopic("wrong-incidents", 2, (short) 1)
                      .configs(Map.of("cleanup.policy", "compact"))))
          .all()
          .get();

      assertThatThrownBy(() -> TopicProvisioner.ensure(admin, config.topics()))
          .isInstanceOfSatisfying(
              TopicMismatchException.class, e -> assertThat(e.problems()).as("problems").hasSize(3))
          .hasMessageContaining("wrong-intents: has 5 partitions, must have 2")
          .hasMessageContaining("message.timestamp.type=CreateTime, must have LogAppendTime")
          .hasMessageContaining("cleanup.policy=compact, must have compact,delete")
          .hasMessageContaining("--bootstrap-server " + kafka.bootstrapServers());

      alter(admin, "wrong-incidents", "cleanup.policy", "compact,delete");
      alter(admin, "wrong-intents", "message.timestamp.type", "LogAppendTime");
      TopicsConfig five = new TopicsConfig("wrong", 5, 1);
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> TopicProvisioner.ensure(admin, five))
                      .isInstanceOf(TopicMismatchException.class)
                      .hasMessageContaining("wrong-gaps: has 2 partitions, must have 5")
                      .hasMessageNotContaining("wrong-intents")
                      .hasMessageNotContaining("wrong-incidents"));
    }
  }

  @Test
  void shouldRefuseMoreReplicasThanThereAreBrokers() {
    RestitchConfig config = config("replicas", 1);
    try (Admin admin = KafkaClients.admin(config)) {
      assertThatThrownBy(() -> TopicProvisioner.ensure(admin, new TopicsConfig("replicas", 1, 3)))
          .isInstanceOf(TopicMismatchException.class)
          .hasMessageContaining("set topics.replication");
    }
  }

  @Test
  void shouldCarryARecordWithAppendTimeAndPutPoisonAside() throws Exception {
    RestitchConfig config = config("carry", 1);
    SchemaRegistry registry = SchemaRegistries.open(config.registry());
    String gaps = Topics.GAPS.name(config.topics());
    Gap gap = new Gap("id", "east", "h:1", 0L, 5L, "disconnect");
    byte[] oddKey = {(byte) 0xff, 1};
    try (Admin admin = KafkaClients.admin(config)) {
      TopicProvisioner.ensure(admin, config.topics());
    }
    try (Producer<String, SpecificRecord> producer =
            KafkaClients.producer(config, registry, "writer");
        Producer<byte[], byte[]> raw = KafkaClients.rawProducer(config, "vandal")) {
      producer.send(new ProducerRecord<>(gaps, 0, 17L, "east/h:1", gap)).get();
      raw.send(new ProducerRecord<>(gaps, oddKey, "poison".getBytes(UTF_8))).get();
    }

    List<ConsumerRecord<String, byte[]>> records = read(config, Topics.GAPS, 2);
    TopicDeserializer<Gap> values = new TopicDeserializer<>(registry, Topics.GAPS);
    assertThat(values.deserialize(gaps, records.get(0).value())).isEqualTo(gap);
    assertThat(records.get(0).key()).isEqualTo("east/h:1");
    assertThat(records.get(0).timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
    assertThat(records.get(0).timestamp()).isGreaterThan(17L);
    try (DeadLetters letters = DeadLetters.open(config, "reader")) {
      assertThatThrownBy(() -> values.deserialize(gaps, records.get(1).value()))
          .isInstanceOf(SerializationException.class);
      SerializationException why = new SerializationException("why");
      letters.send(PoisonRecord.of(records.get(1)), why).get(30, TimeUnit.SECONDS);
      byte[] large = new byte[KafkaClients.LARGEST_DEAD_LETTER + 1];
      letters.send(PoisonRecord.of("t", 0, 1, null, large), why).get(30, TimeUnit.SECONDS);
      assertThat(letters.sent()).isEqualTo(2);
    }

    List<ConsumerRecord<String, byte[]>> aside = read(config, Topics.DEAD_LETTERS, 2);
    assertThat(PoisonRecord.of(aside.get(0)).key()).isEqualTo(oddKey);
    assertThat(aside.get(0).value()).isEqualTo("poison".getBytes(UTF_8));
    assertThat(header(aside.get(0), HeaderNames.ERROR_TOPIC)).isEqualTo(gaps);
    assertThat(header(aside.get(0), HeaderNames.ERROR_OFFSET)).isEqualTo("1");
    assertThat(aside.get(1).value()).isNull();
    assertThat(header(aside.get(1), HeaderNames.ERROR_VALUE_LENGTH)).isEqualTo("4194305");
  }

  @Test
  void shouldFindKafkaAndTheRegistryAndSaySoWhenTheyAreNotThere() {
    RestitchConfig config = config("peers", 1);
    Peers.awaitKafka(config);
    Peers.awaitRegistry(config, SchemaRegistries.open(config.registry()));

    RestitchConfig nowhere =
        config(Map.of("bootstrap.servers", "127.0.0.1:1"), "http://127.0.0.1:1", "peers", 1);
    assertThatThrownBy(() -> Peers.awaitKafka(nowhere))
        .isInstanceOf(UnreachableException.class)
        .hasMessageStartingWith("Kafka at 127.0.0.1:1 was not reachable within 1s")
        .hasMessageContaining("kafka.bootstrap.servers");
    assertThatThrownBy(
            () -> Peers.awaitRegistry(nowhere, SchemaRegistries.open(nowhere.registry())))
        .isInstanceOf(UnreachableException.class)
        .hasMessageStartingWith("the schema registry at http://127.0.0.1:1 was not reachable");
  }

  private static List<ConsumerRecord<String, byte[]>> read(
      RestitchConfig config, Topic<?> topic, int count) {
    List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
    try (Consumer<String, byte[]> consumer = KafkaClients.consumer(config, "reader", null)) {
      List<TopicPartition> all = List.of(new TopicPartition(topic.name(config.topics()), 0));
      consumer.assign(all);
      consumer.seekToBeginning(all);
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
                return records.size() >= count;
              });
    }
    return records;
  }

  private static String header(ConsumerRecord<String, byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }

  private static void alter(Admin admin, String topic, String name, String value) throws Exception {
    admin
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.TOPIC, topic),
                List.of(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET))))
        .all()
        .get();
  }

  private static RestitchConfig config(String prefix, int partitions) {
    return config(
        Map.of("bootstrap.servers", kafka.bootstrapServers()),
        registryServer.url(),
        prefix,
        partitions);
  }

  private static RestitchConfig config(
      Map<String, String> kafkaSettings, String registry, String prefix, int partitions) {
    return new RestitchConfig(
        kafkaSettings,
        new RegistryConfig(registry, "restitch", null, null),
        Map.of(),
        Map.of(),
        Map.of(),
        null,
        new TopicsConfig(prefix, partitions, 1),
        null,
        null,
        null,
        Duration.ofSeconds(1),
        Duration.ofMinutes(5),
        null);
  }
}
