package dev.restitch.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * The configuration in effect, defaults included, as it may be shown: passwords, tokens, Kafka
 * properties whose names sound secret, and user information in addresses are masked. Without
 * secrets, what {@link #yaml} writes reads back as the same configuration.
 */
public final class ConfigView {

  private static final ObjectWriter WRITER =
      new YAMLMapper(
              YAMLFactory.builder()
                  .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                  .disable(YAMLGenerator.Feature.SPLIT_LINES)
                  .build())
          .writer();

  private ConfigView() {}

  /** The configuration as YAML. */
  public static String yaml(RestitchConfig config) {
    try {
      return WRITER.writeValueAsString(tree(config));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("maps of text can always be written as YAML", e);
    }
  }

  /** The configuration as maps, lists, texts and numbers, in the order of the documentation. */
  public static Map<String, Object> tree(RestitchConfig config) {
    Map<String, Object> view = new LinkedHashMap<>();
    Map<String, Object> kafka = new LinkedHashMap<>();
    config.kafka().forEach((name, value) -> kafka.put(name, Masking.property(name, value)));
    view.put("kafka", kafka);
    view.put("registry", registry(config.registry()));
    view.put("stores", each(config.stores(), ConfigView::store));
    view.put("relations", each(config.relations(), RelationView::of));
    view.put("sources", each(config.sources(), ConfigView::source));
    view.put("payloads", payloads(config.payloads()));
    view.put("topics", topics(config.topics()));
    view.put("management", management(config.management()));
    view.put("sweep", sweep(config.sweep()));
    if (config.webhook() != null) {
      view.put("webhook", webhook(config.webhook()));
    }
    view.put("startup-patience", Durations.format(config.startupPatience()));
    view.put("gap-patience", Durations.format(config.gapPatience()));
    view.put("state-dir", config.stateDir());
    return view;
  }

  private static <T> Map<String, Object> each(Map<String, T> named, Function<T, Object> view) {
    Map<String, Object> views = new LinkedHashMap<>();
    named.forEach((name, value) -> views.put(name, view.apply(value)));
    return views;
  }

  private static Map<String, Object> registry(RegistryConfig registry) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("url", Masking.address(registry.url()));
    view.put("serde", registry.serde());
    putIfSet(view, "username", registry.username());
    putSecret(view, "password", registry.password());
    return view;
  }

  private static Map<String, Object> store(StoreConfig store) {
    Map<String, Object> view = new LinkedHashMap<>();
    List<String> uris = new ArrayList<>(store.uris().stream().map(Masking::address).toList());
    switch (store.kind()) {
      case STANDALONE -> view.put("uri", uris.get(0));
      case SHARDED -> {
        view.put("uris", uris);
        view.put("sharding", sharding(store.shardMap()));
      }
      case CLUSTER -> view.put("cluster", uris);
    }
    putIfSet(view, "username", store.username());
    putSecret(view, "password", store.password());
    if (store.uris().stream().anyMatch(RedisUri::tls)) {
      Map<String, Object> tls = new LinkedHashMap<>();
      tls.put("verify-peer", store.verifyPeer());
      putIfSet(tls, "truststore", store.truststore());
      view.put("tls", tls);
    }
    return view;
  }

  private static Object sharding(ShardMap map) {
    if (map == null) {
      return "crc32";
    }
    Map<String, Object> view = new LinkedHashMap<>();
    map.rules().forEach(rule -> view.put(rule.glob(), rule.shard()));
    return view;
  }

  private static Map<String, Object> source(SourceConfig source) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("jdbc", Masking.address(source.jdbc()));
    putIfSet(view, "username", source.username());
    putSecret(view, "password", source.password());
    view.put("query", source.query());
    view.put("pool", source.maximumPoolSize());
    return view;
  }

  private static Map<String, Object> payloads(PayloadsConfig payloads) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("kafka", payloads.topics());
    view.put("files", payloads.files().stream().map(Object::toString).toList());
    view.put("http", payloads.http().stream().map(Object::toString).toList());
    view.put("limit", payloads.limit());
    view.put("timeout", Durations.format(payloads.timeout()));
    return view;
  }

  private static Map<String, Object> topics(TopicsConfig topics) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("prefix", topics.prefix());
    view.put("partitions", topics.partitions());
    view.put("replication", topics.replication());
    return view;
  }

  private static Map<String, Object> management(ManagementConfig management) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("host", management.host());
    view.put("port", management.port());
    view.put("worker-port", management.workerPort());
    putSecret(view, "token", management.token());
    return view;
  }

  private static Map<String, Object> sweep(SweepConfig sweep) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("rate", sweep.rate());
    view.put("gap-rate", sweep.gapRate());
    view.put("every", Durations.format(sweep.every()));
    view.put("latency", Durations.format(sweep.latency()));
    view.put("memory", sweep.memory());
    view.put("pause-limit", Durations.format(sweep.pauseLimit()));
    return view;
  }

  private static Map<String, Object> webhook(WebhookConfig webhook) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("url", Masking.address(webhook.url()));
    putSecret(view, "token", webhook.token());
    view.put("batch", webhook.batch());
    view.put("every", Durations.format(webhook.every()));
    if (!webhook.severities().isEmpty()) {
      Map<String, Object> severities = new LinkedHashMap<>();
      webhook
          .severities()
          .forEach(
              (v, severity) -> severities.put(v.name(), severity.name().toLowerCase(Locale.ROOT)));
      view.put("severities", severities);
    }
    return view;
  }

  static void putIfSet(Map<String, Object> view, String key, Object value) {
    if (value != null) {
      view.put(key, value);
    }
  }

  private static void putSecret(Map<String, Object> view, String key, Secret secret) {
    putIfSet(view, key, secret == null ? null : Masking.MASK);
  }
}
