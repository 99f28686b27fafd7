package dev.restitch.topic;

import dev.restitch.config.TopicsConfig;
import dev.restitch.kafka.KafkaClients;
import dev.restitch.topic.TopicMismatchException.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the topics that are missing and verifies those that exist. */
public final class TopicProvisioner {

  private static final Logger log = LoggerFactory.getLogger(TopicProvisioner.class);
  private static final Duration INCIDENT_RETENTION = Duration.ofDays(30);
  private static final Duration VISIBLE_WITHIN = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final int REPLICAS_FOR_TWO_IN_SYNC = 3;

  private final Admin admin;
  private final TopicsConfig config;

  private TopicProvisioner(Admin admin, TopicsConfig config) {
    this.admin = admin;
    this.config = config;
  }

  /**
   * Makes every topic of {@link Topics} that is missing and verifies partition count (of the
   * judge's inputs), time type and cleanup policy of all, once the brokers show them. Several
   * processes may do so at once. Blocks; changes no topic that exists.
   *
   * @throws TopicMismatchException if topics are not as they must be, with all problems
   * @throws KafkaException if the brokers do not answer or refuse
   */
  public static void ensure(Admin admin, TopicsConfig config) {
    new TopicProvisioner(admin, config).ensure();
  }

  /**
   * Looks at the topics and changes nothing. Blocks.
   *
   * @throws KafkaException if the brokers do not answer or refuse
   */
  public static TopicInspection inspect(Admin admin, TopicsConfig config) {
    TopicProvisioner looking = new TopicProvisioner(admin, config);
    Map<Topic<?>, Integer> existing = looking.describe();
    List<Topic<?>> missing = new ArrayList<>(Topics.all());
    missing.removeAll(existing.keySet());
    String bootstrap = looking.bootstrap();
    return new TopicInspection(
        missing.stream()
            .map(topic -> TopicInspection.missing(looking.specification(topic), bootstrap))
            .toList(),
        looking.problems(existing));
  }

  private void ensure() {
    List<Topic<?>> missing = new ArrayList<>(Topics.all());
    missing.removeAll(describe().keySet());
    create(missing);
    long deadlineNanos = System.nanoTime() + VISIBLE_WITHIN.toNanos();
    while (!verified()) {
      if (System.nanoTime() > deadlineNanos) {
        throw new KafkaException("topics were made, but the brokers do not show them all");
      }
      pause();
    }
  }

  /** False while a broker has not heard of a topic yet that another, or the controller, knows. */
  private boolean verified() {
    try {
      Map<Topic<?>, Integer> existing = describe();
      if (existing.size() < Topics.all().size()) {
        return false;
      }
      verify(existing);
      return true;
    } catch (UnknownTopicOrPartitionException e) {
      return false;
    }
  }

  /** The partition counts of the topics that exist. */
  private Map<Topic<?>, Integer> describe() {
    List<String> names = Topics.all().stream().map(topic -> topic.name(config)).toList();
    Map<String, KafkaFuture<TopicDescription>> answers =
        admin.describeTopics(names).topicNameValues();
    Map<Topic<?>, Integer> existing = new LinkedHashMap<>();
    for (Topic<?> topic : Topics.all()) {
      try {
        existing.put(topic, get(answers.get(topic.name(config))).partitions().size());
      } catch (UnknownTopicOrPartitionException e) {
        log.atDebug().addKeyValue("topic", topic.name(config)).log("Topic is missing");
      }
    }
    return existing;
  }

  private void create(List<Topic<?>> missing) {
    if (missing.isEmpty()) {
      return;
    }
    Map<String, KafkaFuture<Void>> answers =
        admin.createTopics(missing.stream().map(this::specification).toList()).values();
    List<Problem> problems = new ArrayList<>();
    for (Topic<?> topic : missing) {
      String name = topic.name(config);
      try {
        get(answers.get(name));
        log.atInfo()
            .addKeyValue("topic", name)
            .addKeyValue("partitions", topic.partitions(config))
            .addKeyValue("cleanup", topic.cleanup().policy())
            .log("Topic made");
      } catch (TopicExistsException e) {
        log.atDebug().addKeyValue("topic", name).log("Topic was made by another process");
      } catch (InvalidReplicationFactorException e) {
        problems.add(
            new Problem(
                name,
                "cannot be made with " + config.replication() + " replicas: " + e.getMessage(),
                "start more brokers, or set topics.replication to what there are"));
      }
    }
    if (!problems.isEmpty()) {
      throw new TopicMismatchException(problems);
    }
  }

  private NewTopic specification(Topic<?> topic) {
    Map<String, String> settings = new HashMap<>();
    settings.put(TopicConfig.CLEANUP_POLICY_CONFIG, topic.cleanup().policy());
    if (topic.appendTime()) {
      settings.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
    }
    if (topic.equals(Topics.INCIDENTS)) {
      settings.put(TopicConfig.RETENTION_MS_CONFIG, String.valueOf(INCIDENT_RETENTION.toMillis()));
    }
    if (topic.equals(Topics.DEAD_LETTERS)) {
      settings.put(
          TopicConfig.MAX_MESSAGE_BYTES_CONFIG, String.valueOf(KafkaClients.LARGEST_DEAD_LETTER));
    }
    if (config.replication() >= REPLICAS_FOR_TWO_IN_SYNC) {
      settings.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, "2");
    }
    return new NewTopic(topic.name(config), topic.partitions(config), (short) config.replication())
        .configs(settings);
  }

  private void verify(Map<Topic<?>, Integer> existing) {
    List<Problem> problems = problems(existing);
    if (!problems.isEmpty()) {
      throw new TopicMismatchException(problems);
    }
  }

  private List<Problem> problems(Map<Topic<?>, Integer> existing) {
    Map<ConfigResource, KafkaFuture<Config>> answers =
        admin.describeConfigs(existing.keySet().stream().map(this::resource).toList()).values();
    TopicCheck check = new TopicCheck(config, bootstrap());
    List<Problem> problems = new ArrayList<>();
    existing.forEach(
        (topic, partitions) -> {
          Map<String, String> settings =
              get(answers.get(resource(topic))).entries().stream()
                  .filter(entry -> entry.value() != null)
                  .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value));
          problems.addAll(check.problems(topic, new TopicCheck.Existing(partitions, settings)));
        });
    return problems;
  }

  private ConfigResource resource(Topic<?> topic) {
    return new ConfigResource(ConfigResource.Type.TOPIC, topic.name(config));
  }

  private String bootstrap() {
    return get(admin.describeCluster().nodes()).stream()
        .map(node -> node.host() + ":" + node.port())
        .sorted()
        .collect(Collectors.joining(","));
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE.toMillis());
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static KafkaException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new KafkaException("interrupted while waiting for the brokers", cause);
  }

  private static <T> T get(KafkaFuture<T> answer) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new KafkaException(e.getCause());
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }
}
