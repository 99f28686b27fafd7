package dev.restitch.topology;

import dev.restitch.config.RestitchConfig;
import dev.restitch.registry.SchemaRegistry;
import dev.restitch.topic.Topics;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running judge: Kafka Streams with exactly-once processing. A thread that fails is replaced; a
 * poison record goes to the dead letters, and the next is taken. Thread-safe.
 */
public final class JudgeStreams implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(JudgeStreams.class);
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(20);

  private final KafkaStreams streams;
  private final ConsistencyBoard board;
  private final BrakeBoard brake = new BrakeBoard();
  private final CountDownLatch stopped = new CountDownLatch(1);

  /** Builds the application; nothing runs before {@link #start}. */
  public JudgeStreams(RestitchConfig config, SchemaRegistry registry, MeterRegistry meters) {
    this.board = new ConsistencyBoard().bind(meters, config.relations().keySet());
    this.streams =
        new KafkaStreams(
            JudgeTopology.build(config, registry, meters, board, brake, System::currentTimeMillis),
            properties(config));
    streams.setStateListener(this::changed);
    streams.setUncaughtExceptionHandler(
        e -> {
          log.atError()
              .addKeyValue("error", e.toString())
              .setCause(e)
              .log("a thread of the judge failed and is replaced");
          return StreamThreadExceptionResponse.REPLACE_THREAD;
        });
  }

  /** The settings that it runs with; a new object. */
  public static Properties properties(RestitchConfig config) {
    Properties p = new Properties();
    // shorter is quicker, until a commit takes as long: then Streams takes one record a commit
    p.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 500);
    p.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
    p.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 64L * 1024 * 1024);
    p.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
    p.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 10_000);
    p.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 2_000);
    p.put(StreamsConfig.STATE_DIR_CONFIG, config.stateDir());
    p.putAll(config.kafka());
    p.put(StreamsConfig.APPLICATION_ID_CONFIG, config.topics().prefix() + "-judge");
    p.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    p.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
    p.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, config.topics().replication());
    p.put(
        StreamsConfig.ERRORS_DEAD_LETTER_QUEUE_TOPIC_NAME_CONFIG,
        Topics.DEAD_LETTERS.name(config.topics()));
    p.put(StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG, PoisonRecords.class);
    p.put(StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG, PoisonRecords.class);
    p.put(StreamsConfig.PROCESSING_EXCEPTION_HANDLER_GLOBAL_ENABLED_CONFIG, true);
    return p;
  }

  private void changed(KafkaStreams.State now, KafkaStreams.State before) {
    log.atInfo().addKeyValue("from", before).addKeyValue("to", now).log("judge changed state");
    if (now == KafkaStreams.State.ERROR || now == KafkaStreams.State.NOT_RUNNING) {
      stopped.countDown();
    }
  }

  /** Starts; returns at once. */
  public void start() {
    streams.start();
  }

  /** Kafka Streams' own word for the state. */
  public String state() {
    return streams.state().name();
  }

  /** True while all partitions that this auditor has are being judged. */
  public boolean running() {
    return streams.state() == KafkaStreams.State.RUNNING;
  }

  /** What this auditor has judged and found torn within the last minute. */
  public BrakeBoard brake() {
    return brake;
  }

  /** The consistency measure of what this auditor judges. */
  public ConsistencyBoard consistency() {
    return board;
  }

  /** Released when the judge has stopped, by itself or by {@link #close}. */
  public CountDownLatch stopped() {
    return stopped;
  }

  @Override
  public void close() {
    if (!streams.close(CLOSE_PATIENCE)) {
      log.atWarn().addKeyValue("patience", CLOSE_PATIENCE).log("judge did not stop in time");
    }
  }
}
