package dev.restitch.kafka;

import dev.restitch.config.ConfigException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * The properties of one client: safe defaults, then what the configuration passes through, then
 * what Restitch's promises rest on. A property may be for one kind of client only ({@code
 * producer.linger.ms}); one that only another kind knows is left out.
 */
final class ClientSettings {

  /** The kinds of clients. */
  enum Kind {
    PRODUCER,
    CONSUMER,
    ADMIN;

    private String prefix() {
      return name().toLowerCase(Locale.ROOT) + ".";
    }

    private Set<String> names() {
      return switch (this) {
        case PRODUCER -> ProducerConfig.configNames();
        case CONSUMER -> ConsumerConfig.configNames();
        case ADMIN -> AdminClientConfig.configNames();
      };
    }
  }

  private final Kind kind;
  private final Map<String, Object> properties = new LinkedHashMap<>();
  private final Map<String, String> given = new LinkedHashMap<>();

  private ClientSettings(Kind kind) {
    this.kind = kind;
  }

  static ClientSettings of(Kind kind, Map<String, String> passedThrough) {
    ClientSettings settings = new ClientSettings(kind);
    passedThrough.forEach(
        (name, value) -> {
          if (prefixOf(name) == null && settings.concerns(name)) {
            settings.given.put(name, value);
          }
        });
    passedThrough.forEach(
        (name, value) -> {
          if (kind == prefixOf(name)) {
            settings.given.put(name.substring(kind.prefix().length()), value);
          }
        });
    return settings;
  }

  /** A default; what the configuration says stands. */
  ClientSettings usually(String name, Object value) {
    properties.put(name, given.getOrDefault(name, String.valueOf(value)));
    return this;
  }

  /**
   * A value that correctness rests on.
   *
   * @throws ConfigException if the configuration says something else
   */
  ClientSettings always(String name, String value) {
    String other = given.get(name);
    if (other != null && !other.strip().equalsIgnoreCase(value)) {
      throw new ConfigException(
          "kafka." + name,
          "must be " + value + ", not '" + other + "'; leave it out, Restitch sets it");
    }
    properties.put(name, value);
    return this;
  }

  /**
   * A property that the configuration may not set.
   *
   * @throws ConfigException if it does
   */
  ClientSettings never(String name, String why) {
    if (given.containsKey(name)) {
      throw new ConfigException("kafka." + name, "must be left out; " + why);
    }
    return this;
  }

  /** The client's name; the configuration's {@code client.id} stands before it. */
  ClientSettings named(String clientId) {
    String before = given.remove("client.id");
    properties.put("client.id", before == null ? clientId : before + "-" + clientId);
    return this;
  }

  /** A value that is ours alone. */
  ClientSettings ours(String name, Object value) {
    given.remove(name);
    if (value != null) {
      properties.put(name, value);
    }
    return this;
  }

  Map<String, Object> build() {
    Map<String, Object> all = new LinkedHashMap<>(given);
    all.putAll(properties);
    return all;
  }

  private static Kind prefixOf(String name) {
    for (Kind kind : Kind.values()) {
      if (name.startsWith(kind.prefix())) {
        return kind;
      }
    }
    return null;
  }

  private boolean concerns(String name) {
    if (kind.names().contains(name)) {
      return true;
    }
    for (Kind other : Kind.values()) {
      if (other.names().contains(name)) {
        return false;
      }
    }
    return true;
  }
}
