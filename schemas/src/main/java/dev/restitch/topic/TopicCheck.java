package dev.restitch.topic;

import dev.restitch.config.TopicsConfig;
import dev.restitch.topic.TopicMismatchException.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.TopicConfig;

/** Compares a topic that exists with what it must be. Pure. */
final class TopicCheck {

  private static final String APPEND_TIME = "LogAppendTime";

  private final TopicsConfig config;
  private final String bootstrap;

  /**
   * What exists.
   *
   * @param settings the topic's configuration, defaults included
   */
  record Existing(int partitions, Map<String, String> settings) {}

  /**
   * @param bootstrap where the brokers are, for the commands
   */
  TopicCheck(TopicsConfig config, String bootstrap) {
    this.config = config;
    this.bootstrap = bootstrap;
  }

  List<Problem> problems(Topic<?> topic, Existing existing) {
    List<Problem> problems = new ArrayList<>();
    partitions(topic, existing, problems);
    timeType(topic, existing, problems);
    cleanup(topic, existing, problems);
    return problems;
  }

  private void partitions(Topic<?> topic, Existing existing, List<Problem> problems) {
    int wanted = topic.partitions(config);
    if (!topic.judgeInput() || existing.partitions() == wanted) {
      return;
    }
    String name = topic.name(config);
    String command =
        existing.partitions() < wanted
            ? command("kafka-topics.sh", "--alter --topic " + name + " --partitions " + wanted)
                + " (with the auditor and the writers stopped: keys move to other partitions)"
            : command("kafka-topics.sh", "--delete --topic " + name)
                + " (its records are lost; it is made again at the next start)";
    problems.add(
        new Problem(
            name,
            "has "
                + existing.partitions()
                + " partitions, must have "
                + wanted
                + " as every topic that the judge reads",
            command
                + ", or set topics.partitions to "
                + existing.partitions()
                + " if all of them have that many"));
  }

  private void timeType(Topic<?> topic, Existing existing, List<Problem> problems) {
    String actual = existing.settings().get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG);
    if (topic.appendTime() && !APPEND_TIME.equals(actual)) {
      problems.add(
          setting(
              topic,
              TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
              actual,
              APPEND_TIME,
              APPEND_TIME,
              "the judge goes by the brokers' clock"));
    }
  }

  private void cleanup(Topic<?> topic, Existing existing, List<Problem> problems) {
    String actual = existing.settings().get(TopicConfig.CLEANUP_POLICY_CONFIG);
    String wanted = topic.cleanup().policy();
    if (!parts(wanted).equals(parts(actual))) {
      String value = wanted.contains(",") ? "[" + wanted + "]" : wanted;
      String why =
          topic.cleanup().compacted()
              ? "the newest record of each key must stay"
              : "compaction would remove records that are still needed";
      problems.add(setting(topic, TopicConfig.CLEANUP_POLICY_CONFIG, actual, wanted, value, why));
    }
  }

  private Problem setting(
      Topic<?> topic, String setting, String actual, String wanted, String value, String why) {
    String name = topic.name(config);
    return new Problem(
        name,
        "has " + setting + "=" + actual + ", must have " + wanted + ": " + why,
        command(
            "kafka-configs.sh",
            "--alter --entity-type topics --entity-name "
                + name
                + " --add-config '"
                + setting
                + "="
                + value
                + "'"));
  }

  private String command(String script, String arguments) {
    return script + " --bootstrap-server " + bootstrap + " " + arguments;
  }

  private static Set<String> parts(String policy) {
    return policy == null
        ? Set.of()
        : Arrays.stream(policy.split(",", -1))
            .map(String::strip)
            .filter(part -> !part.isEmpty())
            .collect(Collectors.toCollection(TreeSet::new));
  }
}
