package dev.restitch.doctor;

import dev.restitch.config.RelationConfig;
import dev.restitch.config.RestitchConfig;
import dev.restitch.doctor.NodeFacts.ClockReading;
import dev.restitch.kafka.KafkaClients;
import dev.restitch.topic.Topic;
import dev.restitch.topic.TopicInspection;
import dev.restitch.topic.TopicMismatchException;
import dev.restitch.topic.TopicProvisioner;
import dev.restitch.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;

/** Examines the brokers: topics and clock. Blocks. */
final class KafkaExam {

  private static final int ANSWER_SECONDS = 5;
  private static final Duration LIMIT = Duration.ofSeconds(45);

  private final RestitchConfig config;
  private final Treatment treatment;

  /**
   * @param treatment null: change nothing
   */
  KafkaExam(RestitchConfig config, Treatment treatment) {
    this.config = config;
    this.treatment = treatment;
  }

  List<Finding> examine() throws InterruptedException {
    String where = KafkaClients.address(config);
    try {
      return Timed.call(LIMIT, this::connected);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return List.of(
          Finding.error(
              "kafka",
              where,
              "does not answer, so that nothing can be judged: " + Timed.words(e),
              "kafka-broker-api-versions.sh --bootstrap-server "
                  + where
                  + "   # and check the section kafka"));
    }
  }

  private List<Finding> connected() throws Exception {
    Admin admin = KafkaClients.admin(config);
    try {
      return examine(admin);
    } finally {
      admin.close(Duration.ZERO); // else it waits for calls that nobody waits for any more
    }
  }

  private List<Finding> examine(Admin admin) throws Exception {
    String where = KafkaClients.address(config);
    int brokers =
        Timed.get(
                Duration.ofSeconds(ANSWER_SECONDS),
                admin.describeCluster().nodes().toCompletionStage())
            .size();
    List<Finding> findings = new ArrayList<>();
    findings.add(KafkaRules.brokers(where, brokers, config.topics().replication()));
    findings.addAll(topics(admin));
    findings.add(clock(admin, where));
    return findings;
  }

  private List<Finding> topics(Admin admin) {
    TopicInspection found = TopicProvisioner.inspect(admin, config.topics());
    if (treatment == null || found.missing().isEmpty()) {
      return KafkaRules.topics(found, Topics.all().size());
    }
    String change =
        "made "
            + found.missing().stream()
                .map(TopicInspection.Missing::topic)
                .collect(Collectors.joining(", "));
    try {
      TopicProvisioner.ensure(admin, config.topics());
      return mended(admin, change, "not all were made");
    } catch (TopicMismatchException e) {
      // of topics that were there before, or that cannot be made
      return mended(admin, change, Timed.words(e));
    } catch (KafkaException e) {
      treatment.failed("Kafka", change, Timed.words(e));
      return KafkaRules.topics(found, Topics.all().size());
    }
  }

  private List<Finding> mended(Admin admin, String change, String otherwise) {
    TopicInspection now = TopicProvisioner.inspect(admin, config.topics());
    List<Finding> findings = new ArrayList<>(KafkaRules.topics(now, Topics.all().size()));
    if (now.missing().isEmpty()) {
      treatment.changed("Kafka", change);
      findings.set(0, findings.get(0).after(change));
    } else {
      treatment.failed("Kafka", change, otherwise);
    }
    return findings;
  }

  private Finding clock(Admin admin, String where) throws Exception {
    Duration tolerance =
        config.relations().values().stream()
            .map(RelationConfig::ttlTolerance)
            .min(Comparator.naturalOrder())
            .orElse(Duration.ofSeconds(5));
    ClockReading controller = controllerClock(admin);
    if (controller != null) {
      return ClockRules.kafka(where, controller, tolerance);
    }
    ClockReading newest = newestAppend(admin);
    return newest == null
        ? Finding.ok("clock", where, "the brokers do not tell their time to this user")
        : ClockRules.kafka(where, newest, tolerance);
  }

  /** The active controller tells its own time as that of its last fetch; null: it tells nothing. */
  private static ClockReading controllerClock(Admin admin) throws Exception {
    long before = System.currentTimeMillis();
    QuorumInfo quorum;
    try {
      quorum =
          Timed.get(
              Duration.ofSeconds(ANSWER_SECONDS),
              admin.describeMetadataQuorum().quorumInfo().toCompletionStage());
    } catch (ApiException notAllowed) {
      return null;
    }
    long after = System.currentTimeMillis();
    OptionalLong told =
        quorum.voters().stream()
            .filter(voter -> voter.replicaId() == quorum.leaderId())
            .map(QuorumInfo.ReplicaState::lastFetchTimestamp)
            .findFirst()
            .orElse(OptionalLong.empty());
    return told.isPresent() && told.getAsLong() > 0
        ? new ClockReading(told.getAsLong() - (before + after) / 2, (after - before + 1) / 2)
        : null;
  }

  /** A record from the future shows that a broker is ahead; null: there is none. */
  private ClockReading newestAppend(Admin admin) throws Exception {
    Map<TopicPartition, OffsetSpec> asked = new LinkedHashMap<>();
    for (Topic<?> topic : Topics.all()) {
      if (topic.appendTime()) {
        for (int i = 0; i < topic.partitions(config.topics()); i++) {
          asked.put(new TopicPartition(topic.name(config.topics()), i), OffsetSpec.maxTimestamp());
        }
      }
    }
    try {
      long newest =
          Timed.get(
                  Duration.ofSeconds(ANSWER_SECONDS),
                  admin.listOffsets(asked).all().toCompletionStage())
              .values()
              .stream()
              .mapToLong(ListOffsetsResultInfo::timestamp)
              .max()
              .orElse(-1);
      long ahead = newest - System.currentTimeMillis();
      return ahead > 0 ? new ClockReading(ahead, 0) : null;
    } catch (ApiException noSuchTopic) {
      return null;
    }
  }
}
