package dev.restitch.sandbox.workload;

import dev.restitch.config.MarkerConfig;
import dev.restitch.config.RelationConfig;
import dev.restitch.config.RestitchConfig;
import dev.restitch.store.StoreClient;
import dev.restitch.writer.StampedWriter;
import dev.restitch.writer.WriterOptions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.Producer;

/**
 * The application's writers: one that writes plainly, one that writes only if newer, and one whose
 * commit markers have a short life.
 */
public record Writers(StampedWriter plain, StampedWriter fenced, StampedWriter shortMarker)
    implements AutoCloseable {

  /** How long the short markers live. */
  static final Duration SHORT = Duration.ofSeconds(3);

  /** Opens all three over the same stores and producer, which stay the caller's. */
  public static Writers open(
      RestitchConfig config,
      Map<String, StoreClient> stores,
      Producer<String, SpecificRecord> producer) {
    WriterOptions options = WriterOptions.of("restitch-demo");
    return new Writers(
        StampedWriter.open(config, stores, producer, options),
        StampedWriter.open(config, stores, producer, options.withFenced(true)),
        StampedWriter.open(withShortMarkers(config), stores, producer, options));
  }

  private static RestitchConfig withShortMarkers(RestitchConfig config) {
    Map<String, RelationConfig> relations = new LinkedHashMap<>(config.relations());
    relations.replaceAll((name, relation) -> withShortMarker(relation));
    return new RestitchConfig(
        config.kafka(),
        config.registry(),
        config.stores(),
        relations,
        config.sources(),
        config.payloads(),
        config.topics(),
        config.management(),
        config.sweep(),
        config.webhook(),
        config.startupPatience(),
        config.gapPatience(),
        config.stateDir());
  }

  private static RelationConfig withShortMarker(RelationConfig r) {
    MarkerConfig m = r.marker();
    return new RelationConfig(
        r.name(),
        r.sides(),
        r.stamp(),
        r.version(),
        m == null ? null : new MarkerConfig(m.store(), m.key(), SHORT, m.fenced()),
        r.writesAll(),
        r.intentsRequired(),
        r.settle(),
        r.memory(),
        r.ttlTolerance(),
        r.patience(),
        r.repair(),
        r.stampLimit(),
        r.rate(),
        r.concurrency(),
        r.approval(),
        r.brake(),
        r.generations(),
        r.verdicts());
  }

  @Override
  public void close() {
    plain.close();
    fenced.close();
    shortMarker.close();
  }
}
