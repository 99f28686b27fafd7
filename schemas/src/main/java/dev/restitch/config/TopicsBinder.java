package dev.restitch.config;

/** Binds {@code topics}. */
final class TopicsBinder {

  private TopicsBinder() {}

  static TopicsConfig bind(Section root) {
    Section topics = root.child("topics", "prefix", "partitions", "replication");
    String prefix =
        topics.parse("prefix", topics.text("prefix"), TopicsBinder::prefix).orElse("restitch");
    return new TopicsConfig(
        prefix,
        Values.integer(topics, "partitions", 4, 1, 10_000),
        Values.integer(topics, "replication", 1, 1, Short.MAX_VALUE));
  }

  private static String prefix(String text) {
    if (!text.matches("[A-Za-z0-9._-]{1,200}")) {
      throw new IllegalArgumentException(
          "'" + text + "' cannot begin a topic name; use letters, digits, '.', '_' and '-'");
    }
    return text;
  }
}
