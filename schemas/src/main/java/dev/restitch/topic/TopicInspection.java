package dev.restitch.topic;

import dev.restitch.topic.TopicMismatchException.Problem;
import java.util.List;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * How the topics stand.
 *
 * @param missing topics that do not exist, in the topics' order
 * @param problems what is wrong with those that do
 */
public record TopicInspection(List<Missing> missing, List<Problem> problems) {

  public TopicInspection {
    missing = List.copyOf(missing);
    problems = List.copyOf(problems);
  }

  /**
   * A topic that does not exist.
   *
   * @param topic its full name
   * @param command makes it
   */
  public record Missing(String topic, String command) {}

  static Missing missing(NewTopic topic, String bootstrap) {
    StringBuilder command =
        new StringBuilder("kafka-topics.sh --bootstrap-server ")
            .append(bootstrap)
            .append(" --create --topic ")
            .append(topic.name())
            .append(" --partitions ")
            .append(topic.numPartitions())
            .append(" --replication-factor ")
            .append(topic.replicationFactor());
    new TreeMap<>(topic.configs())
        .forEach(
            (setting, value) ->
                command
                    .append(" --config '")
                    .append(setting)
                    .append('=')
                    .append(value.contains(",") ? "[" + value + "]" : value)
                    .append('\''));
    return new Missing(topic.name(), command.toString());
  }
}
