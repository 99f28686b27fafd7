package dev.restitch.sandbox.bench.drain;

import dev.restitch.config.RestitchConfig;
import dev.restitch.topic.Topic;
import dev.restitch.topic.Topics;
import java.util.List;

/** The topics that the judge reads, and so do all others. */
final class JudgeInputs {

  private JudgeInputs() {}

  static List<String> names(RestitchConfig config) {
    return Topics.all().stream()
        .filter(Topic::judgeInput)
        .map(topic -> topic.name(config.topics()))
        .toList();
  }
}
