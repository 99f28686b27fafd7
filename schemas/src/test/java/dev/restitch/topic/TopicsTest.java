package dev.restitch.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.restitch.avro.Done;
import dev.restitch.avro.Intent;
import dev.restitch.avro.KeyRef;
import dev.restitch.config.TopicsConfig;
import dev.restitch.topic.Topic.Cleanup;
import dev.restitch.topic.Topic.KeyMeaning;
import dev.restitch.topic.TopicMismatchException.Problem;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;

class TopicsTest {

  private static final TopicsConfig CONFIG = new TopicsConfig("restitch", 6, 1);
  private static final Map<String, String> GOOD =
      Map.of("cleanup.policy", "delete", "message.timestamp.type", "LogAppendTime");

  private final TopicCheck check = new TopicCheck(CONFIG, "localhost:9092");

  @Test
  void shouldNameEveryTopicOfTheArchitecture() {
    assertThat(Topics.all())
        .extracting(topic -> topic.name(CONFIG))
        .containsExactly(
            "restitch-intents",
            "restitch-observations",
            "restitch-probes",
            "restitch-snapshots",
            "restitch-repairs",
            "restitch-outcomes",
            "restitch-gaps",
            "restitch-incidents",
            "restitch-coverage",
            "restitch-sweeps",
            "restitch-control",
            "restitch-tallies",
            "restitch-dead-letters");
    assertThat(Topics.GAPS.name(new TopicsConfig("team-a", 1, 1))).isEqualTo("team-a-gaps");
  }

  @Test
  void shouldGiveEveryInputOfTheJudgeTheSamePartitionsAndAppendTime() {
    List<Topic<?>> inputs = Topics.all().stream().filter(Topic::judgeInput).toList();

    assertThat(inputs)
        .extracting(Topic::baseName)
        .containsExactlyInAnyOrder(
            "intents", "observations", "snapshots", "outcomes", "gaps", "control");
    assertThat(inputs).allMatch(topic -> topic.partitions(CONFIG) == 6 && topic.appendTime());
    assertThat(Topics.TALLIES.partitions(CONFIG)).isEqualTo(1);
  }

  @Test
  void shouldNameTheCommandThatMakesAMissingTopic() {
    NewTopic topic =
        new NewTopic("restitch-incidents", 6, (short) 3)
            .configs(Map.of("retention.ms", "1", "cleanup.policy", "compact,delete"));

    assertThat(TopicInspection.missing(topic, "localhost:9092").command())
        .isEqualTo(
            "kafka-topics.sh --bootstrap-server localhost:9092 --create --topic restitch-incidents"
                + " --partitions 6 --replication-factor 3 --config"
                + " 'cleanup.policy=[compact,delete]' --config 'retention.ms=1'");
  }

  @Test
  void shouldFindTheTopicOfARecord() {
    assertThat(Topics.carrying(Intent.class)).contains(Topics.INTENTS);
    assertThat(Topics.carrying(Done.class)).contains(Topics.INTENTS);
    assertThat(Topics.carrying(KeyRef.class)).isEmpty();
  }

  @Test
  void shouldRefuseAnInputOfTheJudgeThatGoesByClientsClocks() {
    assertThatThrownBy(
            () ->
                new Topic<>(
                    "x", List.of(Intent.class), KeyMeaning.INSTANCE, Cleanup.DELETE, true, false))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldFindNothingWrongWithATopicAsItMustBe() {
    assertThat(check.problems(Topics.INTENTS, new TopicCheck.Existing(6, GOOD))).isEmpty();
    assertThat(
            check.problems(
                Topics.INCIDENTS,
                new TopicCheck.Existing(3, Map.of("cleanup.policy", "delete, compact"))))
        .isEmpty();
  }

  @Test
  void shouldNameEveryProblemWithTheCommandThatMendsIt() {
    List<Problem> problems =
        check.problems(
            Topics.INTENTS,
            new TopicCheck.Existing(
                4, Map.of("cleanup.policy", "compact", "message.timestamp.type", "CreateTime")));

    assertThat(problems)
        .extracting(Problem::what)
        .satisfiesExactly(
            what -> assertThat(what).contains("has 4 partitions, must have 6"),
            what -> assertThat(what).contains("message.timestamp.type=CreateTime"),
            what -> assertThat(what).contains("cleanup.policy=compact, must have delete"));
    assertThat(problems)
        .extracting(Problem::mend)
        .satisfiesExactly(
            mend ->
                assertThat(mend)
                    .startsWith(
                        "kafka-topics.sh --bootstrap-server localhost:9092 --alter --topic"
                            + " restitch-intents --partitions 6"),
            mend ->
                assertThat(mend)
                    .isEqualTo(
                        "kafka-configs.sh --bootstrap-server localhost:9092 --alter --entity-type"
                            + " topics --entity-name restitch-intents --add-config"
                            + " 'message.timestamp.type=LogAppendTime'"),
            mend -> assertThat(mend).endsWith("--add-config 'cleanup.policy=delete'"));
    assertThat(new TopicMismatchException(problems))
        .hasMessageContaining("has 4 partitions")
        .hasMessageContaining("cleanup.policy=compact");
  }

  @Test
  void shouldNotTellToRemovePartitionsWhichKafkaCannot() {
    List<Problem> problems = check.problems(Topics.GAPS, new TopicCheck.Existing(12, GOOD));

    assertThat(problems).hasSize(1);
    assertThat(problems.get(0).mend())
        .contains("--delete --topic restitch-gaps")
        .contains("or set topics.partitions to 12");
  }

  @Test
  void shouldBracketAPolicyOfTwoParts() {
    List<Problem> problems =
        check.problems(
            Topics.INCIDENTS, new TopicCheck.Existing(6, Map.of("cleanup.policy", "delete")));

    assertThat(problems)
        .singleElement()
        .satisfies(
            p -> assertThat(p.mend()).endsWith("--add-config 'cleanup.policy=[compact,delete]'"));
  }
}
