package dev.restitch.doctor;

import dev.restitch.topic.TopicInspection;
import dev.restitch.topic.TopicMismatchException.Problem;
import java.util.ArrayList;
import java.util.List;

/** Whether the brokers hold the topics as they must be. Pure. */
final class KafkaRules {

  private KafkaRules() {}

  /** Enough brokers for the replicas that are asked for. */
  static Finding brokers(String where, int brokers, int replication) {
    return brokers < replication
        ? Finding.error(
            "brokers",
            where,
            brokers
                + " broker(s) answer, and topics.replication is "
                + replication
                + ": topics cannot be made",
            "start more brokers, or set topics.replication: " + brokers)
        : Finding.ok("brokers", where, brokers + " broker(s), topics.replication " + replication);
  }

  static List<Finding> topics(TopicInspection inspection, int topics) {
    List<Finding> findings = new ArrayList<>();
    for (TopicInspection.Missing missing : inspection.missing()) {
      findings.add(
          Finding.warning(
              "topics",
              missing.topic(),
              "does not exist: the auditor makes it when it starts, but writers and readers that"
                  + " start before lose what they tell",
              missing.command()));
    }
    for (Problem problem : inspection.problems()) {
      findings.add(Finding.error("topics", problem.topic(), problem.what(), problem.mend()));
    }
    if (findings.isEmpty()) {
      findings.add(Finding.ok("topics", "Kafka", "all " + topics + " topics are as they must be"));
    }
    return findings;
  }
}
