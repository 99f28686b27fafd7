package dev.restitch.sandbox.server;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;

/** A formatted folder and the settings of one combined broker and controller, small and local. */
record KafkaSettings(int port, Path file, Properties properties) {

  /**
   * Writes the settings into the folder and formats the storage.
   *
   * @throws IOException if it cannot be formatted
   */
  static KafkaSettings format(Path folder, Map<String, String> more) throws IOException {
    int port = Ports.free();
    Properties properties = properties(folder, port, Ports.free());
    more.forEach(properties::setProperty);
    Path file = folder.resolve("server.properties");
    try (Writer out = Files.newBufferedWriter(file)) {
      properties.store(out, null);
    }
    try (PrintStream silent =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
      String[] format = {"format", "-t", Uuid.randomUuid().toString(), "-c", file.toString()};
      int code = StorageTool.execute(format, silent);
      if (code != 0) {
        throw new IOException("Kafka's storage in " + folder + " could not be formatted: " + code);
      }
    }
    return new KafkaSettings(port, file, properties);
  }

  private static Properties properties(Path folder, int port, int controllerPort) {
    Properties p = new Properties();
    p.setProperty("process.roles", "broker,controller");
    p.setProperty("node.id", "1");
    p.setProperty("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
    p.setProperty(
        "listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
    p.setProperty("controller.listener.names", "CONTROLLER");
    p.setProperty("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    p.setProperty("log.dirs", folder.resolve("data").toString());
    p.setProperty("auto.create.topics.enable", "false");
    p.setProperty("offsets.topic.replication.factor", "1");
    p.setProperty("offsets.topic.num.partitions", "4");
    p.setProperty("transaction.state.log.replication.factor", "1");
    p.setProperty("transaction.state.log.min.isr", "1");
    p.setProperty("transaction.state.log.num.partitions", "4");
    p.setProperty("share.coordinator.state.topic.replication.factor", "1");
    p.setProperty("share.coordinator.state.topic.min.isr", "1");
    p.setProperty("share.coordinator.state.topic.num.partitions", "1");
    p.setProperty("group.initial.rebalance.delay.ms", "0");
    p.setProperty("log.cleaner.dedupe.buffer.size", "2097152");
    p.setProperty("num.io.threads", "2");
    p.setProperty("num.network.threads", "2");
    return p;
  }
}
