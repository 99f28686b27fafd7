package dev.restitch.sandbox.bench.drain;

import dev.restitch.config.RestitchConfig;
import dev.restitch.topology.JudgeStreams;
import java.util.Properties;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;

/** A peer's topology, run with the judge's own settings. */
final class StreamsDrain implements Drain {

  private final KafkaStreams streams;
  private final LongAdder seen;
  private final String application;

  /**
   * @param seen what the topology counts records with
   */
  StreamsDrain(RestitchConfig config, String application, Topology topology, LongAdder seen) {
    this.seen = seen;
    this.application = application;
    Properties settings = JudgeStreams.properties(config);
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, application);
    settings.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, false);
    streams = new KafkaStreams(topology, settings);
  }

  @Override
  public void start() {
    streams.start();
  }

  @Override
  public long seen() {
    return seen.sum();
  }

  @Override
  public String application() {
    return application;
  }

  @Override
  public void close() {
    streams.close();
  }
}
