package dev.restitch.recorded;

import dev.restitch.config.RestitchConfig;
import dev.restitch.kafka.KafkaClients;
import dev.restitch.registry.SchemaRegistries;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;

/**
 * A window of the topics, written to a history file.
 *
 * @param lines of the file, its end not counted
 * @param records read of the topics, wanted or not
 * @param unreadable records that could not be read
 * @param lost sentences that say what retention has removed
 */
public record Recording(long lines, long records, long unreadable, List<String> lost) {

  public Recording {
    lost = List.copyOf(lost);
  }

  /**
   * Reads a window and writes it down. Takes part in no group, commits nothing, reads committed
   * records only. Blocks.
   *
   * @throws IOException that says what to check, if the brokers do not answer
   */
  public static Recording write(RestitchConfig config, Window window, Path file)
      throws IOException, InterruptedException {
    try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      return write(config, window, out);
    }
  }

  /** As {@link #write(RestitchConfig, Window, Path)}; the writer stays open. */
  public static Recording write(RestitchConfig config, Window window, Writer out)
      throws IOException, InterruptedException {
    try (Consumer<String, byte[]> consumer =
        KafkaClients.consumer(config, "restitch-replay", null)) {
      RecordedTopics topics =
          new RecordedTopics(config, SchemaRegistries.open(config.registry()), consumer, window);
      HistoryWriter history = new HistoryWriter(out);
      topics.read(history);
      long lines = history.lines();
      history.end(window.toMillis());
      out.flush();
      return new Recording(lines, topics.records(), topics.unreadable(), topics.lost());
    } catch (KafkaException e) {
      throw new IOException(
          "cannot read the topics at "
              + KafkaClients.address(config)
              + ": "
              + e.getMessage()
              + "; is Kafka running, and is kafka.bootstrap.servers right?",
          e);
    }
  }
}
