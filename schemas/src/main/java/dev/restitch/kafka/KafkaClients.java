package dev.restitch.kafka;

import dev.restitch.config.ConfigException;
import dev.restitch.config.RestitchConfig;
import dev.restitch.kafka.ClientSettings.Kind;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.serde.AvroSerializer;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Opens Kafka clients. All pass the configuration's {@code kafka} section through, over safe
 * defaults; a property that would break a promise of Restitch is refused with a {@link
 * ConfigException} that names it. The caller closes what it opens.
 */
public final class KafkaClients {

  /** Largest record that the dead-letter topic and its producers take, in bytes. */
  public static final int LARGEST_DEAD_LETTER = 4 * 1024 * 1024;

  private static final int BUFFER_BYTES = 32 * 1024 * 1024;
  private static final int MAX_BLOCK_MILLIS = 10_000;
  private static final int LINGER_MILLIS = 5;
  private static final int MAX_POLL_RECORDS = 500;
  private static final int MEMBER_SESSION_MILLIS = 10_000;
  private static final String GROUP_PROTOCOL = ConsumerConfig.GROUP_PROTOCOL_CONFIG;
  private static final int ADMIN_TIMEOUT_MILLIS = 15_000;

  private KafkaClients() {}

  /**
   * A producer of the contract's records: idempotent, {@code acks=all}, keys as UTF-8 text, placed
   * by murmur2. Its memory is bounded; {@code send} blocks for ten seconds at most when it is full
   * or the topic is not to be had, and the first record of a type waits for the registry.
   */
  public static Producer<String, SpecificRecord> producer(
      RestitchConfig config, SchemaRegistry registry, String clientId) {
    return new KafkaProducer<>(
        producerSettings(config, clientId).build(),
        new StringSerializer(),
        new AvroSerializer(registry));
  }

  /** A producer of bytes, as safe as {@link #producer}; takes records up to four mebibytes. */
  public static Producer<byte[], byte[]> rawProducer(RestitchConfig config, String clientId) {
    return new KafkaProducer<>(
        producerSettings(config, clientId)
            .ours(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, LARGEST_DEAD_LETTER)
            .build(),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  /**
   * A consumer that reads committed records only, from the beginning where its group has no offset,
   * and commits only when told to. Values stay bytes, so that a record that cannot be read can be
   * put aside ({@link DeadLetters}) instead of stopping the consumer.
   *
   * @param group null: none, for consumers that assign their partitions themselves
   */
  public static Consumer<String, byte[]> consumer(
      RestitchConfig config, String clientId, String group) {
    return new KafkaConsumer<>(
        consumerSettings(config, clientId, group).build(),
        new KeyDeserializer(),
        new ByteArrayDeserializer());
  }

  /**
   * A consumer that takes part in a group for the sake of the partitions only: what stands for them
   * is another member's ten seconds after this one died, and stays where it is when members come.
   */
  public static Consumer<String, byte[]> member(
      RestitchConfig config, String clientId, String group) {
    ClientSettings settings = consumerSettings(config, clientId, group);
    Map<String, Object> given = settings.build();
    if (!"consumer".equalsIgnoreCase(String.valueOf(given.get(GROUP_PROTOCOL)))) {
      settings
          .usually(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, MEMBER_SESSION_MILLIS)
          .usually(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, MEMBER_SESSION_MILLIS / 4)
          .usually(
              ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
              CooperativeStickyAssignor.class.getName());
    }
    return new KafkaConsumer<>(
        settings.build(), new KeyDeserializer(), new ByteArrayDeserializer());
  }

  /** An administrator's client; its calls take fifteen seconds at most. */
  public static Admin admin(RestitchConfig config) {
    Map<String, Object> settings =
        ClientSettings.of(Kind.ADMIN, config.kafka())
            .named("restitch-admin")
            .usually(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ADMIN_TIMEOUT_MILLIS)
            .usually(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ADMIN_TIMEOUT_MILLIS / 3)
            .build();
    return Admin.create(settings);
  }

  /** Where the brokers are looked for, for messages. */
  public static String address(RestitchConfig config) {
    return config.kafka().getOrDefault("bootstrap.servers", "(kafka.bootstrap.servers is missing)");
  }

  static ClientSettings producerSettings(RestitchConfig config, String clientId) {
    return ClientSettings.of(Kind.PRODUCER, config.kafka())
        .named(clientId)
        .always(ProducerConfig.ACKS_CONFIG, "all")
        .always(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true")
        .never(
            ProducerConfig.PARTITIONER_CLASS_CONFIG,
            "the judge needs every record of an instance on the partition that murmur2 gives it")
        .never(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "Restitch names its transactions itself")
        .usually(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER_BYTES)
        .usually(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MILLIS)
        .usually(ProducerConfig.LINGER_MS_CONFIG, LINGER_MILLIS);
  }

  static ClientSettings consumerSettings(RestitchConfig config, String clientId, String group) {
    return ClientSettings.of(Kind.CONSUMER, config.kafka())
        .named(clientId)
        .ours(ConsumerConfig.GROUP_ID_CONFIG, group)
        .always(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed")
        .always(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false")
        .usually(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest")
        .usually(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false")
        .usually(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MAX_POLL_RECORDS);
  }
}
