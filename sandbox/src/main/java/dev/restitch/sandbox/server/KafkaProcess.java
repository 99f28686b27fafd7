package dev.restitch.sandbox.server;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * One Kafka broker in a JVM of its own, for tests that kill it; its data survives until the
 * temporary folder goes. Ready when {@link #start} returns. Thread-safe.
 */
public final class KafkaProcess implements AutoCloseable {

  private static final Duration READY_IN = Duration.ofSeconds(60);
  private static final int TRIES = 3;

  private final KafkaSettings settings;
  private final Path folder;
  private ChildProcess process;

  private KafkaProcess(KafkaSettings settings, Path folder) {
    this.settings = settings;
    this.folder = folder;
  }

  /** Formats storage in the temporary folder and starts the broker on a free port. */
  public static KafkaProcess start(Scratch scratch) throws Exception {
    return start(scratch, Map.of());
  }

  /**
   * Like {@link #start(Scratch)}, with broker settings of the caller's.
   *
   * @param more override the defaults
   */
  public static KafkaProcess start(Scratch scratch, Map<String, String> more) throws Exception {
    for (int attempt = 1; ; attempt++) {
      Path folder = scratch.newFolder("kafka");
      KafkaProcess kafka = new KafkaProcess(KafkaSettings.format(folder, more), folder);
      try {
        kafka.launch();
        return kafka;
      } catch (IOException e) {
        if (attempt == TRIES) {
          throw e;
        }
      }
    }
  }

  private synchronized void launch() throws Exception {
    process =
        ChildProcess.start(
            "kafka",
            List.of(
                JavaCommand.java(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-XX:-UsePerfData",
                "-Djava.io.tmpdir=" + folder,
                "-Xms64m",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                "kafka.Kafka",
                settings.file().toString()),
            Map.of(),
            folder,
            folder.resolve("server.log"));
    boolean ready = false;
    try {
      ready =
          Attempts.until(READY_IN, () -> !process.alive() || Ports.accepts(settings.port()))
              && process.alive()
              && EmbeddedKafka.answers(bootstrapServers());
    } finally {
      if (!ready) {
        process.kill();
      }
    }
    if (!process.alive()) {
      throw new IOException("Kafka did not start: " + process.tail(20));
    }
  }

  /** {@code 127.0.0.1:port}; the same after a restart. */
  public String bootstrapServers() {
    return "127.0.0.1:" + settings.port();
  }

  public synchronized long pid() {
    return process.pid();
  }

  public synchronized boolean alive() {
    return process.alive();
  }

  /** Ends it with SIGKILL; its data stays. */
  public synchronized void kill() {
    process.kill();
  }

  /** Starts it again with its data, on the same port; kills it first if it still runs. */
  public synchronized void restart() throws Exception {
    process.kill();
    launch();
  }

  @Override
  public synchronized void close() {
    process.close();
  }
}
