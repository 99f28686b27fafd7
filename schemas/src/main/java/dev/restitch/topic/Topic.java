package dev.restitch.topic;

import dev.restitch.config.TopicsConfig;
import java.util.List;
import java.util.Objects;

/**
 * One topic of the contract: what it is called, what it carries, and how it must be made. Topic
 * names appear nowhere else. Keys are UTF-8 strings. Immutable.
 *
 * @param <V> what the values are
 * @param baseName the name without its prefix
 * @param values the record classes that its values may be; one, or several in a topic that holds
 *     several record types
 * @param key what a record's key means
 * @param cleanup how old records go
 * @param judgeInput true: read by the judge by partition, so that all these topics must have the
 *     same number of partitions
 * @param appendTime true: the brokers stamp the records ({@code LogAppendTime}); every time that
 *     the judge goes by comes from them
 */
public record Topic<V>(
    String baseName,
    List<Class<? extends V>> values,
    KeyMeaning key,
    Cleanup cleanup,
    boolean judgeInput,
    boolean appendTime) {

  /** What a record's key means. */
  public enum KeyMeaning {
    /** The instance, {@code user/123}. */
    INSTANCE,
    /** The incident, {@code instance#incident}. */
    INCIDENT,
    /** The node, {@code store/host:port}; each record is copied to every partition. */
    NODE,
    /** The setting and its scope; each record is copied to every partition. */
    SETTING,
    /** The auditor. */
    AUDITOR,
    /** Whatever the key of the record was that could not be used. */
    RAW
  }

  /** How old records go: the value of {@code cleanup.policy}. */
  public enum Cleanup {
    DELETE("delete"),
    COMPACT("compact"),
    COMPACT_AND_DELETE("compact,delete");

    private final String policy;

    Cleanup(String policy) {
      this.policy = policy;
    }

    /** The value of {@code cleanup.policy}. */
    public String policy() {
      return policy;
    }

    /** True if only the newest record of a key is kept. */
    public boolean compacted() {
      return this != DELETE;
    }
  }

  public Topic {
    Objects.requireNonNull(baseName, "baseName");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(cleanup, "cleanup");
    values = List.copyOf(values);
    if (values.isEmpty()) {
      throw new IllegalArgumentException("topic " + baseName + " carries no type of value");
    }
    if (judgeInput && !appendTime) {
      throw new IllegalArgumentException("the judge goes by append time; topic " + baseName);
    }
  }

  /** The topic's full name, such as {@code restitch-intents}. */
  public String name(TopicsConfig config) {
    return config.prefix() + "-" + baseName;
  }

  /** The number of partitions that it is made with. */
  public int partitions(TopicsConfig config) {
    return switch (key) {
      case INSTANCE, INCIDENT -> config.partitions();
      case NODE, SETTING -> judgeInput ? config.partitions() : 1;
      case AUDITOR, RAW -> 1;
    };
  }

  /** True if values of this class belong here. */
  public boolean carries(Class<?> type) {
    return values.contains(type);
  }
}
