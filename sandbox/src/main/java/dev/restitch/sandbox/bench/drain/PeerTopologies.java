package dev.restitch.sandbox.bench.drain;

import dev.restitch.avro.KeyState;
import dev.restitch.avro.Observation;
import dev.restitch.config.RestitchConfig;
import dev.restitch.model.Bytes;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.serde.TopicDeserializer;
import dev.restitch.topic.Topics;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.JoinWindows;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.SessionWindows;
import org.apache.kafka.streams.kstream.StreamJoined;
import org.apache.kafka.streams.kstream.Suppressed;
import org.apache.kafka.streams.state.Stores;

/**
 * The topologies beside the judge's, as a user would write them who has no judge: they compare
 * tokens, and know no versions, snapshots, incidents or late writes. Each counts what it reads.
 */
final class PeerTopologies {

  private static final Serde<String> KEYS = Serdes.String();
  private static final Serde<byte[]> VALUES = Serdes.ByteArray();

  private final RestitchConfig config;
  private final SchemaRegistry registry;
  private final LongAdder seen;

  PeerTopologies(RestitchConfig config, SchemaRegistry registry, LongAdder seen) {
    this.config = config;
    this.registry = registry;
    this.seen = seen;
  }

  /** Reads what the judge reads, and does nothing with it. */
  Topology passThrough() {
    Topology topology = new Topology();
    topology.addSource(
        "inputs",
        new StringDeserializer(),
        new ByteArrayDeserializer(),
        JudgeInputs.names(config).toArray(String[]::new));
    topology.addProcessor("nothing", () -> new CountingProcessor(seen), "inputs");
    return topology;
  }

  /** The first side joined with the second, on the instance, within the settle time. */
  Topology outerJoin() {
    StreamsBuilder builder = new StreamsBuilder();
    KStream<String, byte[]> sides = sightings(builder);
    KStream<String, byte[]> first = sides.filter((k, v) -> v[0] == 0);
    KStream<String, byte[]> second = sides.filter((k, v) -> v[0] == 1);
    first
        .outerJoin(
            second,
            (a, b) -> a == null ? b : b == null ? a : sameToken(a, b) ? new byte[0] : a,
            JoinWindows.ofTimeDifferenceWithNoGrace(settle()),
            StreamJoined.with(KEYS, VALUES, VALUES).withName("join").withStoreName("join"))
        .filter((k, v) -> v.length > 0)
        .to(DrainTopics.foundByPeers(config), Produced.with(KEYS, VALUES));
    return builder.build();
  }

  /** The last token of each side in a session of the settle time, looked at when it has closed. */
  Topology sessionWindow() {
    StreamsBuilder builder = new StreamsBuilder();
    sightings(builder)
        .groupByKey(Grouped.with("sides", KEYS, VALUES))
        .windowedBy(SessionWindows.ofInactivityGapWithNoGrace(settle()))
        .aggregate(
            () -> new byte[0],
            (k, v, all) -> LastTokens.with(all, v),
            (k, a, b) -> LastTokens.merged(a, b),
            Materialized.<String, byte[]>as(Stores.persistentSessionStore("session", retention()))
                .withKeySerde(KEYS)
                .withValueSerde(VALUES))
        .suppress(Suppressed.untilWindowCloses(Suppressed.BufferConfig.unbounded()))
        .toStream((window, v) -> window.key())
        .filter((k, v) -> v != null && LastTokens.differ(v))
        .to(DrainTopics.foundByPeers(config), Produced.with(KEYS, VALUES));
    return builder.build();
  }

  /** What is open in a RocksDB store; whole transactions are deleted there. */
  Topology rocksdb() {
    Topology topology = new Topology();
    Deserializer<byte[]> reader = sightingReader();
    topology.addSource(
        "observations",
        new StringDeserializer(),
        reader,
        Topics.OBSERVATIONS.name(config.topics()));
    int sides = config.relations().get("user").sides().size();
    topology.addProcessor("open", () -> new RocksDbProcessor(seen, sides), "observations");
    topology.addStateStore(
        Stores.keyValueStoreBuilder(
                Stores.persistentKeyValueStore(RocksDbProcessor.STORE), KEYS, VALUES)
            .withCachingEnabled(),
        "open");
    topology.addSink(
        "found",
        DrainTopics.foundByPeers(config),
        KEYS.serializer(),
        new ByteArraySerializer(),
        "open");
    return topology;
  }

  private KStream<String, byte[]> sightings(StreamsBuilder builder) {
    return builder.stream(
            Topics.OBSERVATIONS.name(config.topics()),
            Consumed.with(KEYS, Serdes.serdeFrom(new ByteArraySerializer(), sightingReader())))
        .peek((k, v) -> seen.increment())
        .filter((k, v) -> v != null);
  }

  private Deserializer<byte[]> sightingReader() {
    TopicDeserializer<Observation> records = new TopicDeserializer<>(registry, Topics.OBSERVATIONS);
    return (topic, bytes) -> {
      Observation o = records.deserialize(topic, bytes);
      if (o.getReading().getState() != KeyState.STAMPED) {
        return null;
      }
      byte[] key = Bytes.copyOf(o.getReading().getKey()).toArray();
      int side = side(key);
      byte[] token = Bytes.copyOf(o.getReading().getToken()).toArray();
      return new Sighted(side, o.getReading().getVersion(), token).encode();
    };
  }

  /** The number at the key's end. */
  private static int side(byte[] key) {
    int number = 0;
    for (int i = key.length - 1, unit = 1; key[i] >= '0' && key[i] <= '9'; i--, unit *= 10) {
      number += (key[i] - '0') * unit;
    }
    return number;
  }

  private static boolean sameToken(byte[] a, byte[] b) {
    return Arrays.equals(a, 1, a.length, b, 1, b.length);
  }

  private Duration settle() {
    return config.relations().get("user").settle();
  }

  private Duration retention() {
    return settle().multipliedBy(3);
  }
}
