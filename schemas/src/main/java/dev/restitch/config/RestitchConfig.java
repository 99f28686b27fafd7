package dev.restitch.config;

import java.time.Duration;
import java.util.Map;

/**
 * The whole configuration, valid.
 *
 * @param kafka client properties, passed through
 * @param payloads from where payloads by reference may be fetched
 * @param sweep how hard sweeps may work
 * @param webhook where incidents are told by HTTP; null: nowhere
 * @param startupPatience how long an unreachable peer is waited for at start
 * @param gapPatience an open gap older than this makes the audit Blind
 * @param stateDir folder of Kafka Streams' local state
 */
public record RestitchConfig(
    Map<String, String> kafka,
    RegistryConfig registry,
    Map<String, StoreConfig> stores,
    Map<String, RelationConfig> relations,
    Map<String, SourceConfig> sources,
    PayloadsConfig payloads,
    TopicsConfig topics,
    ManagementConfig management,
    SweepConfig sweep,
    WebhookConfig webhook,
    Duration startupPatience,
    Duration gapPatience,
    String stateDir) {

  /** The relations, ready to resolve keys. */
  public Relations resolver() {
    return new Relations(relations.values());
  }
}
