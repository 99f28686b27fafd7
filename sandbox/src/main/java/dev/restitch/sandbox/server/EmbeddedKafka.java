package dev.restitch.sandbox.server;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One Kafka broker inside this JVM. Ready when {@link #start} returns. Thread-safe. */
public final class EmbeddedKafka implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(EmbeddedKafka.class);
  private static final Duration READY_IN = Duration.ofSeconds(60);
  private static final int TRIES = 3;

  private final KafkaRaftServer server;
  private final String bootstrapServers;
  private final AtomicBoolean closed = new AtomicBoolean();

  private EmbeddedKafka(KafkaRaftServer server, String bootstrapServers) {
    this.server = server;
    this.bootstrapServers = bootstrapServers;
  }

  /** Formats storage in the temporary folder and starts the broker on a free port. */
  public static EmbeddedKafka start(Scratch scratch) throws Exception {
    for (int attempt = 1; ; attempt++) {
      try {
        return startOnce(scratch);
      } catch (IOException | KafkaException e) {
        if (attempt == TRIES) {
          throw e;
        }
        log.atWarn().addKeyValue("cause", e.toString()).log("Kafka did not start; trying again");
      }
    }
  }

  private static EmbeddedKafka startOnce(Scratch scratch) throws Exception {
    KafkaSettings settings = KafkaSettings.format(scratch.newFolder("kafka"), Map.of());
    KafkaRaftServer server =
        new KafkaRaftServer(
            new kafka.server.KafkaConfig(settings.properties(), false), Time.SYSTEM);
    EmbeddedKafka kafka = new EmbeddedKafka(server, "127.0.0.1:" + settings.port());
    boolean ready = false;
    try {
      server.startup();
      ready = answers(kafka.bootstrapServers);
    } finally {
      if (!ready) {
        kafka.close();
      }
    }
    if (!ready) {
      throw new IOException("Kafka did not answer on " + kafka.bootstrapServers);
    }
    return kafka;
  }

  /** True once the broker says that it belongs to a cluster; false if it does not in time. */
  static boolean answers(String bootstrapServers) throws Exception {
    Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    try {
      return Attempts.until(READY_IN, () -> hasNodes(admin));
    } finally {
      admin.close(Duration.ZERO);
    }
  }

  private static boolean hasNodes(Admin admin) throws InterruptedException {
    try {
      return !admin.describeCluster().nodes().get(2, TimeUnit.SECONDS).isEmpty();
    } catch (ExecutionException | TimeoutException notYet) {
      return false;
    }
  }

  /** {@code 127.0.0.1:port}. */
  public String bootstrapServers() {
    return bootstrapServers;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      server.shutdown();
      server.awaitShutdown();
    }
  }
}
