package dev.restitch.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Reads the configuration: one YAML file, overridden by environment variables.
 *
 * <p>Every key is also a variable: {@code RESTITCH_} and the path of the key in capitals, with
 * {@code _} for all but letters and digits, so that {@code RESTITCH_KAFKA_BOOTSTRAP_SERVERS} is
 * {@code kafka.bootstrap.servers}. Lists may be written with commas, or as YAML. Variables never
 * add a store, relation, side or source; an empty variable counts as not set.
 *
 * <p>Every problem is found before one is told. Thread-safe, without state.
 */
public final class ConfigLoader {

  private static final List<String> SECTIONS =
      List.of(
          "kafka",
          "registry",
          "stores",
          "relations",
          "sources",
          "payloads",
          "topics",
          "management",
          "sweep",
          "webhook");

  private static final List<String> KEYS =
      List.of(
          "kafka",
          "registry",
          "stores",
          "relations",
          "sources",
          "payloads",
          "topics",
          "management",
          "sweep",
          "webhook",
          "startup-patience",
          "gap-patience",
          "state-dir");

  private ConfigLoader() {}

  /**
   * Reads a file.
   *
   * @param env the environment, usually {@link System#getenv()}
   * @throws ConfigException with all problems, also where the file cannot be read
   */
  public static RestitchConfig load(Path file, Map<String, String> env) {
    return parse(read(file), env);
  }

  /**
   * Reads text.
   *
   * @param env the environment, usually {@link System#getenv()}
   * @throws ConfigException with all problems
   */
  public static RestitchConfig parse(String yaml, Map<String, String> env) {
    Problems problems = new Problems();
    Environment environment = new Environment(env, problems);
    Tree tree;
    try {
      tree = YamlDocument.read(yaml, "", null, problems);
    } catch (IllegalArgumentException e) {
      throw new ConfigException("", "the configuration " + e.getMessage());
    }
    Section root = Section.root(new Section.Reading(problems, environment), tree, KEYS);
    RestitchConfig config = bind(root);
    environment.reportUnused(SECTIONS);
    CrossCheck check = new CrossCheck(problems, config.relations().values());
    check.overlaps();
    check.unusedStores(config.stores().keySet());
    check.sources(config.sources());
    problems.throwIfAny();
    return config;
  }

  private static RestitchConfig bind(Section root) {
    Map<String, StoreConfig> stores = StoreBinder.bind(root);
    Map<String, SourceConfig> sources = SourceBinder.bind(root);
    Map<String, RelationConfig> relations =
        RelationBinder.bind(root, stores.keySet(), sources.keySet());
    String stateDir = Path.of(System.getProperty("java.io.tmpdir"), "restitch").toString();
    RegistryConfig registry = RegistryBinder.bind(root);
    ManagementConfig management = ManagementBinder.bind(root);
    WebhookConfig webhook = WebhookBinder.bind(root);
    return new RestitchConfig(
        // last of those with secrets: what no other section names becomes a client property
        KafkaBinder.bind(root),
        registry,
        Collections.unmodifiableMap(stores),
        Collections.unmodifiableMap(relations),
        Collections.unmodifiableMap(sources),
        PayloadsBinder.bind(root),
        TopicsBinder.bind(root),
        management,
        SweepBinder.bind(root),
        webhook,
        Values.duration(root, "startup-patience", Duration.ofMinutes(2)),
        Values.duration(root, "gap-patience", Duration.ofMinutes(5)),
        root.text("state-dir").orElse(stateDir));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new ConfigException(
          "", "there is no file " + file + "; name the configuration with --config FILE");
    } catch (CharacterCodingException e) {
      throw new ConfigException("", "the file " + file + " is not UTF-8 text");
    } catch (IOException e) {
      throw new ConfigException(
          "", "the file " + file + " cannot be read: " + e.getClass().getSimpleName());
    }
  }
}
