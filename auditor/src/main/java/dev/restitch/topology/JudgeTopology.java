package dev.restitch.topology;

import dev.restitch.config.Relations;
import dev.restitch.config.RestitchConfig;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.serde.AvroSerializer;
import dev.restitch.serde.TopicDeserializer;
import dev.restitch.topic.Topic;
import dev.restitch.topic.Topics;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The whole topology:
 *
 * <pre>
 * intents, observations, snapshots, outcomes, gaps, controls -> judge -> probes, incidents, repairs
 * </pre>
 *
 * All inputs are keyed by instance and have the same number of partitions, so that one task holds
 * everything that is told of an instance. Every node and store is named.
 */
public final class JudgeTopology {

  static final String JUDGE = "judge";
  static final String PROBES = "probes";
  static final String INCIDENTS = "incidents";
  static final String REPAIRS = "repairs";

  private JudgeTopology() {}

  /**
   * Builds the topology.
   *
   * @param registry lives as long as it runs, as do the meters
   * @param board shows the consistency measure
   * @param brake shows what feeds the brake
   * @param wallClock epoch milliseconds
   */
  public static Topology build(
      RestitchConfig config,
      SchemaRegistry registry,
      MeterRegistry meters,
      ConsistencyBoard board,
      BrakeBoard brake,
      LongSupplier wallClock) {
    Relations relations = config.resolver();
    JudgeCounters counters = new JudgeCounters(meters);
    int partitions = config.topics().partitions();
    Topology topology = new Topology();
    source(topology, config, registry, Topics.INTENTS);
    source(topology, config, registry, Topics.OBSERVATIONS);
    source(topology, config, registry, Topics.SNAPSHOTS);
    source(topology, config, registry, Topics.OUTCOMES);
    source(topology, config, registry, Topics.GAPS);
    source(topology, config, registry, Topics.CONTROL);
    topology.addProcessor(
        JUDGE,
        () ->
            new JudgeProcessor(
                relations,
                partitions,
                Topics.CONTROL.name(config.topics()),
                counters,
                new JudgeProcessor.Boards(board, brake),
                wallClock),
        Topics.INTENTS.baseName(),
        Topics.OBSERVATIONS.baseName(),
        Topics.SNAPSHOTS.baseName(),
        Topics.OUTCOMES.baseName(),
        Topics.GAPS.baseName(),
        Topics.CONTROL.baseName());
    topology.addStateStore(new InstanceTableBuilder(JudgeProcessor.STATES), JUDGE);
    topology.addStateStore(store(JudgeProcessor.GAPS), JUDGE);
    // written to while its commit is under way: it has no cache that might have been emptied before
    topology.addStateStore(store(JudgeProcessor.CONSISTENCY).withCachingDisabled(), JUDGE);
    topology.addStateStore(store(JudgeProcessor.CONTROLS), JUDGE);
    sink(topology, config, registry, PROBES, Topics.PROBES);
    sink(topology, config, registry, INCIDENTS, Topics.INCIDENTS);
    sink(topology, config, registry, REPAIRS, Topics.REPAIRS);
    return topology;
  }

  private static <V extends SpecificRecord> void source(
      Topology topology, RestitchConfig config, SchemaRegistry registry, Topic<V> topic) {
    topology.addSource(
        topic.baseName(),
        new StringDeserializer(),
        new TopicDeserializer<>(registry, topic),
        topic.name(config.topics()));
  }

  private static void sink(
      Topology topology,
      RestitchConfig config,
      SchemaRegistry registry,
      String name,
      Topic<?> topic) {
    topology.addSink(
        name,
        topic.name(config.topics()),
        new StringSerializer(),
        new AvroSerializer(registry),
        JUDGE);
  }

  /** In memory, logged: the cache makes the changelog carry only the last change of a commit. */
  private static StoreBuilder<KeyValueStore<String, byte[]>> store(String name) {
    return Stores.keyValueStoreBuilder(
            Stores.inMemoryKeyValueStore(name), Serdes.String(), Serdes.ByteArray())
        .withCachingEnabled()
        .withLoggingEnabled(Map.of());
  }
}
