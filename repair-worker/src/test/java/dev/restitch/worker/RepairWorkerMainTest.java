package dev.restitch.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restitch.startup.Peers;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RepairWorkerMainTest {

  @TempDir private Path folder;
  private final StringWriter errors = new StringWriter();

  @Test
  void shouldTellEveryProblemOfItsConfiguration() throws IOException {
    assertThat(run("kafka: { bootstrap.servers: \"x:1\" }\nnonsense: 1\nrelations: 7\n"))
        .isEqualTo(2);
    assertThat(errors.toString()).contains("nonsense").contains("relations");
  }

  @Test
  void shouldTellThatItHasNoConfiguration() {
    assertThat(execute(folder.resolve("none.yaml"))).isEqualTo(2);
    assertThat(errors.toString()).contains("none.yaml");
  }

  @Test
  void shouldGiveUpWithOneLineWhereKafkaIsNotThere() throws IOException {
    int closed;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = socket.getLocalPort();
    }
    String yaml =
        """
        kafka: { bootstrap.servers: "127.0.0.1:%d" }
        registry: { url: "http://127.0.0.1:1" }
        startup-patience: 1ms
        stores: { east: { uri: "redis://127.0.0.1:1" } }
        relations:
          a: { sides: { it: { store: east, key: "a:{id}" } }, stamp: "{token}:{payload}" }
        """
            .formatted(closed);

    assertThat(run(yaml)).isEqualTo(1);
    assertThat(errors.toString().lines()).hasSize(1);
    assertThat(errors.toString())
        .contains("Kafka")
        .contains("127.0.0.1:" + closed)
        .contains("Check");
  }

  @Test
  void shouldNeverShowCredentialsInAnAddress() {
    assertThat(Peers.withoutCredentials("redis://user:secret@h:1/0?timeout=1s"))
        .isEqualTo("redis://h:1/0");
    assertThat(Peers.withoutCredentials("jdbc:postgresql://h/app?user=u&password=secret"))
        .isEqualTo("jdbc:postgresql://h/app");
  }

  private int run(String yaml) throws IOException {
    Path file = folder.resolve("restitch.yaml");
    Files.writeString(file, yaml);
    return execute(file);
  }

  private int execute(Path file) {
    return new CommandLine(new RepairWorkerMain())
        .setErr(new PrintWriter(errors, true))
        .execute("--config", file.toString());
  }
}
